import { showDeliveries } from './delivery.ts';
import { again } from './kinds/again.ts';

showDeliveries(again);
