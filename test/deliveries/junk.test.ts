import { showDeliveries } from './delivery.ts';
import { junk } from './kinds/junk.ts';

showDeliveries(junk);
