import { showDeliveries } from './delivery.ts';
import { together } from './kinds/together.ts';

showDeliveries(together);
