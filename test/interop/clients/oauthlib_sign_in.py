"""Signs in with requests-oauthlib, refreshes, and reads the list of assets.

Arguments: API address, sign-in address. The person at the browser is asked on stdout, and answers on stdin.
"""
import base64, hashlib, os, secrets, sys
import requests
from requests_oauthlib import OAuth2Session

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # The service is on this computer.
api, sign_in = sys.argv[1:3]
redirect = "http://localhost:8391/"
client = requests.post(f"{api}/oauth/register", json={"client_name": "OAuth script", "redirect_uris": [redirect]}).json()["client_id"]
verifier = secrets.token_urlsafe(48)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
session = OAuth2Session(client, redirect_uri=redirect, scope=["assets:list", "assets:read", "assets:write"])
link, _ = session.authorization_url(f"{sign_in}/oauth", code_challenge=challenge, code_challenge_method="S256")
print(link, flush=True)
session.fetch_token(f"{api}/oauth/token", authorization_response=input(), code_verifier=verifier, include_client_id=True)
first = session.token["access_token"]
session.refresh_token(f"{api}/oauth/token", client_id=client, redirect_uri=redirect)
assert session.token["access_token"] != first
print(len(session.get(f"{api}/v1/assets").json()["items"]), flush=True)
