import type { WholeFinding } from '../../../shared/findings.ts';
import type { KmlContent, KmlHead } from '../formats/documents/kml.ts';

const maxKeys = 1_000;

/** Finds KML without models, because the service tiles only models (service-facts.md, "Options by kind"). */
export class KmlDocuments {
  readonly #keys: string[] = [];
  readonly #contents = new Set<Exclude<KmlContent, 'models'>>();
  #count = 0;
  #mayHoldModels = false;

  add(key: string, { content }: KmlHead): void {
    this.#count += 1;
    if (this.#keys.length < maxKeys) this.#keys.push(key);
    if (content === null || content === 'models') this.#mayHoldModels = true;
    else this.#contents.add(content);
  }

  find(): readonly WholeFinding[] {
    if (this.#count === 0 || this.#mayHoldModels) return [];
    const list = [...this.#contents].sort().map((content) => ({ key: `findings.kml.${content}` as const }));
    const keys = this.#keys.toSorted();
    return [{ id: 'kml-no-models', values: { content: { list } }, count: this.#count, keys }];
  }
}
