import { showDeliveries } from './delivery.ts';
import { unattended } from './kinds/unattended.ts';

showDeliveries(unattended);
