import { showDeliveries } from './delivery.ts';
import { repeatedDeliveries } from './kinds/again.ts';

showDeliveries(repeatedDeliveries);
