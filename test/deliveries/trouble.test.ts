import { showDeliveries } from './delivery.ts';
import { trouble } from './kinds/trouble.ts';

showDeliveries(trouble);
