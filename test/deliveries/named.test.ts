import { showDeliveries } from './delivery.ts';
import { named } from './kinds/named.ts';

showDeliveries(named);
