/** The client of undici alone: all of undici, with `fetch`, takes three times as long to load. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';

  export = Client;
}
