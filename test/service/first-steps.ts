import type { Behaviour, EmbeddedService } from './model.ts';

interface Acquaintance {
  readonly service: Pick<EmbeddedService, 'baseUrl' | 'authUrl' | 'storageUrl' | 'controlUrl'>;
  readonly flow: Behaviour['flow'];
  /** Tokens of the account's settings: one with all scopes first, then the requested ones. */
  readonly tokens: readonly string[];
  readonly isPrivate: boolean;
}

/** Output of `npm run service`: addresses, a file `.env`, and the whole flow with curl. */
export function firstSteps({ service, flow, tokens, isPrivate }: Acquaintance): string {
  const { baseUrl, authUrl, storageUrl, controlUrl } = service;
  return `The embedded service is running. Ctrl+C ends it. ${
    isPrivate
      ? 'Nothing leaves this computer.'
      : 'Other computers may reach it, unencrypted; its control interface they do not.'
  }

  API       ${baseUrl}
  sign-in   ${authUrl}
  storage   ${storageUrl}
  control   ${controlUrl}

Described in test/service/README.md and, for programs, in test/service/openapi.json (OpenAPI 3.1).

----- .env: save it, or paste it into a shell -----
TILING_BASE_URL=${baseUrl}
TILING_AUTH_URL=${authUrl}
TILING_CONTROL_URL=${controlUrl}
TILING_CLIENT_ID=1002
TILING_REDIRECT_URI=http://localhost:8391/
TILING_TOKEN=${tokens[0]}
${tokens
  .slice(1)
  .map((token, index) => `TILING_TOKEN_${index + 2}=${token}\n`)
  .join('')}\
TILELIFT_SERVICE_NAME="Embedded service"
TILELIFT_SERVICE_API=${baseUrl}
TILELIFT_SERVICE_SIGN_IN=${authUrl}

----- the whole flow with curl, in sh or bash, after the lines above -----
${flow === 'earlier' ? '' : register}${signIn}${upload}
-----`;
}

const register = `# Who asks: a client that registers itself. TILING_CLIENT_ID above is one of the dashboard.
TILING_CLIENT_ID=$(curl -s "$TILING_BASE_URL/oauth/register" -H 'Content-Type: application/json' \\
  -d '{"client_name": "My first client", "redirect_uris": ["'$TILING_REDIRECT_URI'"]}' |
  sed 's/.*"client_id":"\\([^"]*\\)".*/\\1/')

`;

const signIn = `# Whether it may: a person opens this page and chooses Allow; here curl does. Verifier and challenge are the example
# of RFC 7636. Without signing in: TILING_TOKEN above is a token of the settings of the account.
PAGE=$(curl -s -G "$TILING_AUTH_URL/oauth" -d response_type=code -d client_id=$TILING_CLIENT_ID -d redirect_uri=$TILING_REDIRECT_URI \\
  --data-urlencode 'scope=assets:list assets:read assets:write' -d state=my-state \\
  -d code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM -d code_challenge_method=S256)
hidden() { echo "$PAGE" | sed -n 's/.*name="'$1'" value="\\([^"]*\\)".*/\\1/p'; }
CODE=$(curl -s -o /dev/null -w '%{redirect_url}' "$TILING_AUTH_URL/oauth" \\
  -d request=$(hidden request) -d csrf=$(hidden csrf) -d decision=allow | sed 's/.*code=\\([^&]*\\).*/\\1/')
TILING_TOKEN=$(curl -s "$TILING_BASE_URL/oauth/token" -H 'Content-Type: application/json' -H 'Accept: application/json' \\
  -d '{"grant_type": "authorization_code", "client_id": "'$TILING_CLIENT_ID'", "code": "'$CODE'",
       "redirect_uri": "'$TILING_REDIRECT_URI'", "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}' |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

`;

const upload = `# Create an asset: its id, where its files go, and what to say when they are there.
CREATED=$(curl -s "$TILING_BASE_URL/v1/assets" -H "Authorization: Bearer $TILING_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name": "Old town", "type": "3DTILES", "options": {"sourceType": "CITYGML"}}')
given() { echo "$CREATED" | sed -n 's/.*"'$1'":"\\([^"]*\\)".*/\\1/p'; }
ASSET_ID=$(echo "$CREATED" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')

# Upload to storage (curl 7.75 or later signs), then say so: tiling begins.
echo '<CityModel/>' > old-town.gml
curl -sSf -T old-town.gml "$(given endpoint)/$(given bucket)/$(given prefix)old-town.gml" \\
  --aws-sigv4 aws:amz:us-east-1:s3 --user "$(given accessKey):$(given secretAccessKey)" \\
  -H "x-amz-security-token: $(given sessionToken)" -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD'
curl -sSf -X POST "$(given url)" -H "Authorization: Bearer $TILING_TOKEN"

# Wait until tiling ends.
while curl -s "$TILING_BASE_URL/v1/assets/$ASSET_ID" -H "Authorization: Bearer $TILING_TOKEN" | tee asset.json |
  grep -q '"status":"\\(NOT_STARTED\\|IN_PROGRESS\\)"'; do sleep 1; done
cat asset.json; echo`;
