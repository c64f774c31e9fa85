import { showDeliveries } from './delivery.ts';
import { unattendedDeliveries } from './kinds/unattended.ts';

showDeliveries(unattendedDeliveries);
