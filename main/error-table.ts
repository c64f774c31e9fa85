/** Every code that a person may meet: one row each. A code that is not here does not exist. */

export interface ErrorText {
  /** What happened, for a person. `{subject}` is replaced by the thing the error is about. */
  readonly message: string;
  /** What to do about it. */
  readonly advice: string;
  /** True when the same action may succeed later without anybody changing anything. */
  readonly retryable: boolean;
}

export const errorTable = {
  // service
  'service-unreachable': {
    message: 'The service at {subject} can’t be reached.',
    advice: 'Check the network connection and the service address in Settings, then try again.',
    retryable: true,
  },
  'certificate-untrusted': {
    message: 'The certificate of {subject} is not one that this computer trusts.',
    advice:
      'If your office checks encrypted connections, choose its certificate file in Settings under Network. Otherwise ask the operator of that address: somebody may be reading along.',
    retryable: false,
  },
  'proxy-unreachable': {
    message: 'The proxy on the way to {subject} can’t be reached, or lets nothing through.',
    advice: 'Check the network connection and this system’s proxy settings. Tilelift follows them by itself.',
    retryable: true,
  },
  'proxy-authentication': {
    message:
      'The proxy on the way to {subject} asks for a user name and password, and has not been given the right ones.',
    advice: 'Try again and give those of your office’s network; its administrators know them.',
    retryable: true,
  },
  'authority-file-unusable': {
    message: 'The certificate file {subject} can’t be used.',
    advice:
      'Choose another file in Settings under Network: text with one or more blocks that begin with “-----BEGIN CERTIFICATE-----”.',
    retryable: false,
  },
  'service-unavailable': {
    message: 'The service at {subject} is not working at the moment.',
    advice: 'Wait a few minutes and try again. Nothing is lost.',
    retryable: true,
  },
  'service-busy': {
    message: 'The service asks for fewer requests.',
    advice: 'Wait a minute and try again.',
    retryable: true,
  },
  'service-address-invalid': {
    message: '“{subject}” is not a usable service address.',
    advice: 'Give an address that begins with https:// and names the service’s host.',
    retryable: false,
  },
  'unexpected-answer': {
    message: 'The service gave an answer that Tilelift does not understand.',
    advice:
      'Check that the service address is right. If it is, try again later and tell the service’s operator.',
    retryable: true,
  },
  'request-refused': {
    message: 'The service refused the request.',
    advice: 'Read the service’s own words, correct what they name and try again.',
    retryable: false,
  },
  'request-too-large': {
    message: 'The service does not take so large a request.',
    advice: 'Shorten the description or the options and try again.',
    retryable: false,
  },
  'asset-not-found': {
    message: 'The service does not know asset {subject}.',
    advice: 'It may have been deleted there. Start the upload again as a new asset.',
    retryable: false,
  },
  // account
  'not-signed-in': {
    message: 'Nobody is signed in to {subject}.',
    advice: 'Sign in; unfinished uploads then go on by themselves.',
    retryable: false,
  },
  'invalid-credentials': {
    message: 'The service at {subject} no longer accepts this sign-in.',
    advice: 'Sign in again; unfinished uploads then go on by themselves.',
    retryable: false,
  },
  'scope-missing': {
    message: 'This sign-in is not allowed to do that.',
    advice: 'Sign out, sign in again and allow everything Tilelift asks for.',
    retryable: false,
  },
  'registration-failed': {
    message: 'Tilelift could not register itself with {subject}.',
    advice:
      'Check the service address. If it is right, the service may not offer registration to desktop applications.',
    retryable: true,
  },
  'client-unknown': {
    message: 'The service at {subject} does not know Tilelift’s client id.',
    advice:
      'Try again in a minute. If you gave a client id of your own, check it; a client metadata document must be there at its address.',
    retryable: true,
  },
  'client-id-invalid': {
    message: '“{subject}” is not a client id.',
    advice:
      'Give the number from the service’s Developer Settings or the https address of a client metadata document, or leave it empty.',
    retryable: false,
  },
  'access-token-refused': {
    message: 'The service at {subject} does not accept this access token.',
    advice:
      'Copy the whole token from the account’s Access Tokens settings. It needs the scopes assets:list, assets:read and assets:write.',
    retryable: false,
  },
  'sign-in-unreadable': {
    message: 'The kept sign-in can’t be read any more, because this computer’s keychain has changed.',
    advice: 'Sign in again; unfinished uploads then go on as far as they can.',
    retryable: false,
  },
  'browser-not-opened': {
    message: 'The system browser could not be opened.',
    advice: 'Copy the link and open it in a browser yourself.',
    retryable: true,
  },
  'sign-in-denied': {
    message: 'Access was not allowed in the browser.',
    advice: 'To use Tilelift with this account, sign in again and choose Allow.',
    retryable: true,
  },
  'sign-in-mismatch': {
    message: 'The answer from the browser does not belong to this sign-in, so it was ignored.',
    advice: 'Start the sign-in again from Tilelift and use the page that it opens.',
    retryable: true,
  },
  'sign-in-timed-out': {
    message: 'The sign-in was not finished within ten minutes.',
    advice: 'Start it again when you are ready.',
    retryable: true,
  },
  'sign-in-address-invalid': {
    message: 'That is not the address the browser shows after Allow.',
    advice: 'Copy the whole address that begins with tilelift://oauth/callback and paste it again.',
    retryable: true,
  },
  'sign-in-failed': {
    message: 'The service did not accept the sign-in.',
    advice: 'Start the sign-in again. If it fails again, check the service addresses in Settings.',
    retryable: true,
  },
  // source and request
  'source-missing': {
    message: 'There is nothing at {subject}.',
    advice: 'Check the path and that the drive is connected.',
    retryable: false,
  },
  'source-empty': {
    message: '{subject} holds no files to upload.',
    advice: 'Choose a folder with data in it. Temporary and system files are left out.',
    retryable: false,
  },
  'source-unreadable': {
    message: '{subject} can’t be read.',
    advice: 'Close programs that hold it open, or ask for permission to read it, then try again.',
    retryable: false,
  },
  'source-changed': {
    message: '{subject} changed before all of it had been uploaded.',
    advice: 'Wait until nothing writes to it any more, then start again.',
    retryable: false,
  },
  'source-keys-collide': {
    message: 'Two files would get one name on storage: {subject}.',
    advice: 'Rename one of them, then try again.',
    retryable: false,
  },
  'source-name-too-long': {
    message: '{subject} has a name, or lies so deep, that storage can’t take it.',
    advice: 'Shorten its name or those of the folders around it, then try again.',
    retryable: false,
  },
  'asset-name-empty': { message: 'The asset has no name.', advice: 'Give it a name.', retryable: false },
  'asset-type-unknown': {
    message: '“{subject}” is not an asset type.',
    advice: 'Use 3DTILES, IMAGERY or TERRAIN.',
    retryable: false,
  },
  'source-type-empty': {
    message: 'The kind of source data is not given.',
    advice: 'Give a source type, for example CITYGML or RASTER_IMAGERY.',
    retryable: false,
  },
  'source-type-mismatch': {
    message: '{subject} can’t be made from this kind of source data.',
    advice: 'CityGML becomes 3D Tiles: choose 3DTILES as the asset type.',
    retryable: false,
  },
  // watched folders
  'watch-folder-missing': {
    message: 'The watched folder {subject} is not there.',
    advice: 'Connect its drive. Tilelift goes on by itself as soon as the folder is back.',
    retryable: true,
  },
  'watch-folder-unreadable': {
    message: 'The watched folder {subject} can’t be read.',
    advice: 'Give this user the right to read it. Tilelift looks again by itself.',
    retryable: true,
  },
  'watch-folder-nested': {
    message: 'Two rules can’t watch the same files: {subject}.',
    advice: 'Choose a folder that is not inside a watched one and has none inside.',
    retryable: false,
  },
  'watch-target-unusable': {
    message: 'Finished sources can’t be moved to {subject}.',
    advice:
      'Choose another folder on the same drive as the watched one, writable, and not the watched folder itself.',
    retryable: false,
  },
  'watch-pattern-invalid': {
    message: '“{subject}” is not a usable pattern.',
    advice:
      'Give patterns as in a .gitignore file, for example *.laz or scans/*.tif; a trigger file is a plain name.',
    retryable: false,
  },
  'watch-name-invalid': {
    message: 'The name pattern has an unknown token: {subject}.',
    advice: 'Use {name}, {parent}, {date} and {counter}; everything else stands for itself.',
    retryable: false,
  },
  'watch-limit-reached': {
    message:
      'The system watches no more folders for Tilelift; {subject} is looked through from time to time instead.',
    advice:
      'Nothing is missed, it only takes longer. An administrator can raise the limit (on Linux fs.inotify.max_user_watches).',
    retryable: true,
  },
  'watch-events-missing': {
    message: '{subject} does not tell of its changes; it is looked through from time to time instead.',
    advice: 'Nothing is missed, it only takes longer. Many file servers are like that.',
    retryable: true,
  },
  'watch-claims-unwritable': {
    message: 'Tilelift can’t write its claim files into {subject}.',
    advice:
      'Give this user the right to write there, or say in the rule that no other computer watches the folder.',
    retryable: true,
  },
  'watch-move-failed': {
    message: '{subject} could not be moved and was left where it is.',
    advice:
      'See that its folder and the one to move to can be written. It is not taken again while it does not change.',
    retryable: true,
  },
  'watch-ledger-lost': {
    message: 'What this rule had taken can’t be read any more, so it was paused: {subject}.',
    advice:
      'Edit the rule and look at what would become assets now. Move away what is done, or keep what is there out, then switch it on.',
    retryable: false,
  },
  'watch-taken-over': {
    message: 'Another computer took {subject} over while Tilelift was not running here.',
    advice: 'Nothing is to be done: the source becomes an asset there.',
    retryable: false,
  },
  'watch-rule-unknown': {
    message: 'That watched folder no longer exists.',
    advice: 'It was removed from the list.',
    retryable: false,
  },
  'login-item-unavailable': {
    message: 'Tilelift could not be set to start with the system.',
    advice:
      'Add Tilelift to the programs that start at login in the system’s own settings, with the argument --background.',
    retryable: true,
  },
  // storage
  'storage-unreachable': {
    message: 'The storage at {subject} can’t be reached.',
    advice: 'Check the network connection and try again. What storage has confirmed is kept.',
    retryable: true,
  },
  'storage-denied': {
    message: 'The storage refused {subject}.',
    advice: 'Start again as a new asset. If it happens again, tell the service’s operator.',
    retryable: false,
  },
  'storage-failed': {
    message: 'The storage could not take {subject}.',
    advice: 'Try again. What storage has confirmed is kept.',
    retryable: true,
  },
  'storage-mismatch': {
    message: 'What the storage holds differs from {subject} on this computer.',
    advice:
      'Try again. If it happens again, check this computer’s memory and disk, and tell the service’s operator.',
    retryable: true,
  },
  'credentials-expired': {
    message: 'The storage credentials ended before everything was uploaded.',
    advice:
      'The service gives no way to renew them. Start again as a new asset, on a faster line or with less data.',
    retryable: false,
  },
  'credentials-lost': {
    message: 'The storage credentials were not kept over the restart, because this system has no keychain.',
    advice: 'Start again as a new asset. Install a keychain so that uploads survive a restart.',
    retryable: false,
  },
  'forecast-too-long': {
    message: 'This upload will probably not finish: it needs about {subject}.',
    advice:
      'Its storage credentials live about one hour, and the service gives no way to renew them. Go ahead all the same, or cancel it and send less data or use a faster line.',
    retryable: false,
  },
  // tiling
  'data-error': {
    message: 'The service found a problem in the data.',
    advice:
      'The commonest reason is a missing coordinate reference system. Correct the data and start again.',
    retryable: false,
  },
  'tiling-error': {
    message: 'Tiling failed on the service, for a reason it does not name.',
    advice: 'Start again. If it fails again, tell the service’s operator the asset id.',
    retryable: true,
  },
  // this computer
  'journal-unusable': {
    message: 'The journal of uploads at {subject} can’t be used.',
    advice: 'Check that the disk is not full and that the folder is writable, then start Tilelift again.',
    retryable: false,
  },
  'journal-full': {
    message: 'The disk has no room left for the journal of uploads at {subject}.',
    advice: 'Free some space on that disk. The upload then goes on by itself, with nothing lost.',
    retryable: true,
  },
  'journal-damaged': {
    message: 'The journal of uploads was damaged. It was set aside as {subject}.',
    advice:
      'Uploads that it still showed unfinished are listed as failed: start them again as new assets. Those that could not be read are missing from the list.',
    retryable: false,
  },
  'job-unknown': {
    message: 'That upload no longer exists.',
    advice: 'It was removed from the list.',
    retryable: false,
  },
  'input-invalid': {
    message: 'Tilelift was asked for something it does not understand: {subject}.',
    advice: 'This is a fault in Tilelift. Restart it and report what you did.',
    retryable: false,
  },
  internal: {
    message: 'Something went wrong inside Tilelift.',
    advice: 'Try again. If it happens again, report it with the log.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorText>;

export type ErrorCode = keyof typeof errorTable;
