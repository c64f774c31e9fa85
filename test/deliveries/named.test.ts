import { showDeliveries } from './delivery.ts';
import { namedFiles } from './kinds/named.ts';

showDeliveries(namedFiles);
