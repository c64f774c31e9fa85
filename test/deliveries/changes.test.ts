import { showDeliveries } from './delivery.ts';
import { changes } from './kinds/changes.ts';

showDeliveries(changes);
