import { showDeliveries } from './delivery.ts';
import { shapes } from './kinds/shapes.ts';

showDeliveries(shapes);
