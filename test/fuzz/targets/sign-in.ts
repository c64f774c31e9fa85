import { isAbsolute } from 'node:path';
import { parseCallback } from '../../../main/account/model/callback.ts';
import { readTokenAnswer } from '../../../main/account/tokens/token-answer.ts';
import { callbackArgument, pathsIn } from '../../../main/desktop/launch/arguments.ts';
import { isPrivateHost, parseServiceAddress } from '../../../main/service/service-address.ts';
import { Escape, outcomeOf, shapeOf, type Target } from '../target.ts';
import { ourError } from './documented.ts';

const deepLinks: Target = {
  name: 'deep-links',
  seeds: [
    'tilelift://oauth/callback?code=abc&state=def',
    'tilelift://oauth/callback?error=access_denied&error_description=no&state=def#x',
    'TILELIFT://oauth/callback?code=%41&iss=https%3A%2F%2Fion.example&state=s',
    '--flag\ntilelift://oauth/callback?code=a&state=b\n/home/anna/data',
    'file:///home/anna/data%20set\n/srv/scans',
  ],
  words: ['tilelift://oauth/callback?', 'code=', 'state=', 'error=', '&', '%26', '#', '\n', 'file://', '/'],
  run: (input) => {
    const args = input.toString().split('\n');
    const callback = parseCallback(args[0] ?? '');
    const argument = callbackArgument(args);
    if (argument !== undefined && !argument.trim().toLowerCase().startsWith('tilelift://oauth/callback?'))
      throw new Escape(argument);
    const paths = pathsIn(args, ['/usr/bin/tilelift']);
    for (const path of paths) if (!isAbsolute(path) || path.includes('\0')) throw new Escape(path);
    return `${shapeOf(callback)} ${argument === undefined} ${Math.min(paths.length, 3)}`;
  },
};

const tokenAnswers: Target = {
  name: 'token-answers',
  seeds: [
    '{"access_token":"a","token_type":"bearer","refresh_token":"r","expires_in":3600,"refresh_token_expires_in":86400}',
    'access_token=a&token_type=bearer&expiresIn=3600&refreshTokenExpiresIn=86400',
    '<OAuth><access_token>a</access_token><token_type>bearer</token_type><expires_in>3600</expires_in></OAuth>',
    '<?xml version="1.0"?><OAuth a="b"><access_token><![CDATA[a]]></access_token><token_type>b&amp;c</token_type></OAuth>',
  ],
  words: [
    '<OAuth>',
    '</OAuth>',
    '<access_token>',
    '"access_token":',
    'expires_in',
    '<?xml',
    '<!DOCTYPE',
    '&lt;',
    '<a/>',
  ],
  run: (input) => shapeOf(readTokenAnswer(input.toString())),
};

const serviceAddresses: Target = {
  name: 'service-addresses',
  seeds: [
    'https://api.example.com\nhttps://ion.example.com',
    'api.example.com/v1/\nhttp://127.0.0.1:8080/',
    'localhost\n[::1]:1',
    'http://tiles.intern/api\nhttp://10.0.0.7:8080',
  ],
  words: ['http://', 'https://', '@', ':', '[', ']', '127.0.0.1', 'localhost', '%2f', '#', '?', '\\'],
  run: (input) => {
    const [baseUrl = '', authUrl = ''] = input.toString().split('\n');
    return outcomeOf(() => {
      const address = parseServiceAddress({ baseUrl, authUrl });
      for (const text of [address.baseUrl, address.authUrl]) {
        const { protocol, hostname, username } = new URL(text);
        if ((protocol !== 'https:' && !isPrivateHost(hostname)) || username !== '') throw new Escape(text);
      }
      return address;
    }, ourError);
  },
};

export const signInTargets: readonly Target[] = [deepLinks, tokenAnswers, serviceAddresses];
