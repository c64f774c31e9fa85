"""Signs in by loopback redirect, uploads a folder and waits for the tiling: requests and boto3, as a script of an office would.

Arguments: API address, sign-in address, folder. The person at the browser is asked on stdout, and answers on stdin.
"""
import base64, hashlib, os, secrets, sys, time, urllib.parse
import boto3, requests
from botocore.config import Config

api, sign_in, folder = sys.argv[1:4]
redirect = "http://localhost:8391/"
client = requests.post(f"{api}/oauth/register", json={"client_name": "Office script", "redirect_uris": [redirect]}).json()
verifier = secrets.token_hex(16)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
query = {"response_type": "code", "client_id": client["client_id"], "redirect_uri": redirect,
         "scope": "assets:list assets:read assets:write", "state": "s", "code_challenge": challenge, "code_challenge_method": "S256"}
print(f"{sign_in}/oauth?{urllib.parse.urlencode(query)}", flush=True)
answer = urllib.parse.parse_qs(urllib.parse.urlparse(input()).query)
assert answer["state"] == ["s"]
token = requests.post(f"{api}/oauth/token/", json={
    "grant_type": "authorization_code", "client_id": client["client_id"], "code": answer["code"][0],
    "redirect_uri": redirect, "code_verifier": verifier}).json()["access_token"]

session = requests.Session()
session.headers["Authorization"] = f"Bearer {token}"
created = session.post(f"{api}/v1/assets", json={
    "name": "Old town", "type": "3DTILES", "options": {"sourceType": "CITYGML"}}).json()
location = created["uploadLocation"]
s3 = boto3.client("s3", region_name="us-east-1", endpoint_url=location["endpoint"], config=Config(signature_version="v4"),
                  aws_access_key_id=location["accessKey"], aws_secret_access_key=location["secretAccessKey"],
                  aws_session_token=location["sessionToken"])
for name in sorted(os.listdir(folder)):
    s3.upload_file(os.path.join(folder, name), location["bucket"], location["prefix"] + name)
complete = created["onComplete"]
session.request(complete["method"], complete["url"], json=complete["fields"]).raise_for_status()
while True:
    asset = session.get(f"{api}/v1/assets/{created['assetMetadata']['id']}").json()
    if asset["status"] in ("COMPLETE", "DATA_ERROR", "ERROR"):
        break
    time.sleep(0.05)
print(asset["id"], asset["status"], flush=True)
