/** Only undici's client: all of undici takes three times as long to load. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';

  export = Client;
}
