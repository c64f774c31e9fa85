import { showDeliveries } from './delivery.ts';
import { ends } from './kinds/ends.ts';

showDeliveries(ends);
