import { policySchemaText } from '../../main/policy/policy.ts';
import de from '../../strings/de.json' with { type: 'json' };
import en from '../../strings/en.json' with { type: 'json' };

/** Files for device management, made from the policy's schema (docs/administration.md). */

interface Field {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Field>>;
}

const { properties }: { properties: Readonly<Record<string, Field>> } = JSON.parse(policySchemaText());

type Words = typeof en.policy;

/** Names of keys. A key without one fails the test. */
const names: Readonly<Record<string, keyof Words>> = {
  services: 'services',
  proxy: 'proxy',
  caFile: 'certificate',
  updates: 'updates',
  'updates.allowed': 'updatesOn',
  'updates.channel.latest': 'channelLatest',
  'updates.channel.beta': 'channelBeta',
  storage: 'storage',
  'storage.plainHttp': 'storagePlain',
  plainServices: 'plainServices',
  'plainServices.allowed': 'plainServicesOn',
  watch: 'watch',
  watchRules: 'watchRules',
};

function nameOf(key: string, words: Words): string {
  const name = names[key];
  if (name === undefined) throw new Error(`The policy’s key ${key} has no name for administrators`);
  return words[name];
}

/** The languages of the templates, with the words that only they contain. */
const languages = {
  'en-US': {
    ...{ words: en.policy, program: 'Tilelift' },
    supported: 'Tilelift for Windows',
    json: 'The key “{key}” of the policy as JSON, as in policy.schema.json and docs/administration.md.',
    plain: 'The key “{key}” of the policy: see docs/administration.md.',
  },
  'de-DE': {
    ...{ words: de.policy, program: 'Tilelift' },
    supported: 'Tilelift für Windows',
    json: 'Der Schlüssel „{key}“ der Richtlinie als JSON, wie in policy.schema.json und docs/administration.md.',
    plain: 'Der Schlüssel „{key}“ der Richtlinie: siehe docs/administration.md.',
  },
} as const;
export type AdmlLanguage = keyof typeof languages;

/** Switches and choices of a key; null if it needs JSON. */
function controlsOf(field: Field): readonly (readonly [string, Field])[] | null {
  const fields = Object.entries(field.properties ?? {});
  const isSimple = fields.length > 0 && fields.every(([, field]) => field.type === 'boolean' || field.enum);
  return isSimple ? fields : null;
}

const isText = ({ type }: Field) => type === 'string';
const id = (key: string) => key.replaceAll('.', '_');
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Group policy for Windows: one policy per key, as registry values that `managedPolicy` reads. */
export function admx(): string {
  const policies = Object.entries(properties).map(([key, field]) => {
    const elements = controlsOf(field)?.map(([name, subfield]) => element(`${key}.${name}`, subfield)) ?? [
      isText(field)
        ? `<text id="${id(key)}" valueName="${key}" required="true" maxLength="4000" />`
        : `<multiText id="${id(key)}" valueName="${key}" required="true" maxLength="100000" maxStrings="10000" />`,
    ];
    return `    <policy name="${key}" class="Machine" displayName="$(string.${id(key)})" explainText="$(string.${id(key)}_help)" presentation="$(presentation.${id(key)})" key="Software\\Policies\\Tilelift">
      <parentCategory ref="tilelift" />
      <supportedOn ref="supported" />
      <elements>
        ${elements.join('\n        ')}
      </elements>
    </policy>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions revision="1.0" schemaVersion="1.0" xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions">
  <policyNamespaces>
    <target prefix="tilelift" namespace="Tilelift.Policies" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <supportedOn>
    <definitions>
      <definition name="supported" displayName="$(string.supported)" />
    </definitions>
  </supportedOn>
  <categories>
    <category name="tilelift" displayName="$(string.tilelift)" />
  </categories>
  <policies>
${policies.join('\n')}
  </policies>
</policyDefinitions>
`;
}

function element(key: string, field: Field): string {
  if (field.type === 'boolean')
    return `<boolean id="${id(key)}" valueName="${key}"><trueValue><decimal value="1" /></trueValue><falseValue><decimal value="0" /></falseValue></boolean>`;
  const items = (field.enum ?? []).map(
    (choice) =>
      `<item displayName="$(string.${id(key)}_${choice})"><value><string>${choice}</string></value></item>`,
  );
  return `<enum id="${id(key)}" valueName="${key}" required="true">${items.join('')}</enum>`;
}

/** The texts of the group policy in a language. */
export function adml(language: AdmlLanguage): string {
  const { words, program, supported, json, plain: plainText } = languages[language];
  const strings: [string, string][] = [
    ['tilelift', program],
    ['supported', supported],
  ];
  const presentations = Object.entries(properties).map(([key, field]) => {
    const controls = controlsOf(field);
    const help = controls || isText(field) ? plainText : json;
    strings.push([id(key), nameOf(key, words)], [`${id(key)}_help`, help.replace('{key}', key)]);
    const shownFields = controls?.map(([name, subfield]) => {
      const path = `${key}.${name}`;
      for (const choice of subfield.enum ?? [])
        strings.push([`${id(path)}_${choice}`, nameOf(`${path}.${choice}`, words)]);
      return subfield.enum
        ? `<dropdownList refId="${id(path)}" noSort="true" defaultItem="0" />`
        : `<checkBox refId="${id(path)}"${subfield.default === true ? ' defaultChecked="true"' : ''}>${escaped(nameOf(path, words))}</checkBox>`;
    }) ?? [
      isText(field)
        ? `<textBox refId="${id(key)}"><label>${escaped(nameOf(key, words))}</label></textBox>`
        : `<multiTextBox refId="${id(key)}" />`,
    ];
    return `      <presentation id="${id(key)}">${shownFields.join('')}</presentation>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitionResources revision="1.0" schemaVersion="1.0" xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions">
  <displayName>${program}</displayName>
  <description>${supported}</description>
  <resources>
    <stringTable>
${strings.map(([name, text]) => `      <string id="${name}">${escaped(text)}</string>`).join('\n')}
    </stringTable>
    <presentationTable>
${presentations.join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;
}

/** A configuration profile for macOS: every switch and choice of the schema, to be changed and extended. */
export function mobileconfig(): string {
  const settings = Object.entries(properties).flatMap(([key, field]) => {
    const controls = controlsOf(field);
    if (controls === null) return [];
    const values = controls.map(([name, subfield]) =>
      subfield.enum
        ? `<key>${name}</key><string>${subfield.enum[0]}</string>`
        : `<key>${name}</key><${subfield.default === true} />`,
    );
    return [`                <key>${key}</key>\n                <dict>${values.join('')}</dict>`];
  });
  const otherFields = Object.entries(properties).flatMap(([key, field]) => (controlsOf(field) ? [] : [key]));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadVersion</key><integer>1</integer>
  <key>PayloadScope</key><string>System</string>
  <key>PayloadIdentifier</key><string>org.tilelift.desktop.policy</string>
  <key>PayloadUUID</key><string>5B0C0C54-62E7-4C39-9E0F-6B3D0E0A7C11</string>
  <key>PayloadDisplayName</key><string>Tilelift</string>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadType</key><string>com.apple.ManagedClient.preferences</string>
      <key>PayloadVersion</key><integer>1</integer>
      <key>PayloadIdentifier</key><string>org.tilelift.desktop.policy.settings</string>
      <key>PayloadUUID</key><string>A0D7F3B8-3B1F-4C6E-8F1D-2D5B7C9E4A22</string>
      <key>PayloadContent</key>
      <dict>
        <key>org.tilelift.desktop</key>
        <dict>
          <key>Forced</key>
          <array>
            <dict>
              <key>mcx_preference_settings</key>
              <dict>
                <!-- Further keys, as in policy.schema.json: ${otherFields.join(', ')} -->
${settings.join('\n')}
              </dict>
            </dict>
          </array>
        </dict>
      </dict>
    </dict>
  </array>
</dict>
</plist>
`;
}
