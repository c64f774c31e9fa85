import { showDeliveries } from './delivery.ts';
import { cloud } from './kinds/cloud.ts';

showDeliveries(cloud);
