import { showDeliveries } from './delivery.ts';
import { batchDeliveries } from './kinds/together.ts';

showDeliveries(batchDeliveries);
