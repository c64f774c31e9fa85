import { showDeliveries } from './delivery.ts';
import { batch } from './kinds/batch.ts';

showDeliveries(batch);
