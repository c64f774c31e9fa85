import { showDeliveries } from './delivery.ts';
import { computers } from './kinds/computers.ts';

showDeliveries(computers);
