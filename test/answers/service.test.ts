import { testSituations } from './play-cases.ts';
import { situationGroups } from './situations.ts';

testSituations(situationGroups.service);
