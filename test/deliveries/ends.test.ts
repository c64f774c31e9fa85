import { showDeliveries } from './delivery.ts';
import { endOfFiles } from './kinds/ends.ts';

showDeliveries(endOfFiles);
