import { showDeliveries } from './delivery.ts';
import { writing } from './kinds/writing.ts';

showDeliveries(writing);
