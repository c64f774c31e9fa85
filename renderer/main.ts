import './styles/app.css';
import { mount } from 'svelte';
import { speechFromAddress } from '../strings/address.ts';
import App from './App.svelte';
import { catalogues, speak } from './say.ts';

const speech = speechFromAddress(catalogues, location.search);
speak(speech);
document.documentElement.lang = speech.language;

const target = document.getElementById('app');
if (!target) throw new Error('The page has no place for the application.');
mount(App, { target, props: { bridge: window.tilelift } });
