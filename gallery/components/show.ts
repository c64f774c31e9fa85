/** All components in every state, light and dark: `?components`. */

import './components.css';
import { mount } from 'svelte';
import Components from './Components.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no place for the components.');
mount(Components, { target });
