import { z } from '@hono/zod-openapi';
import { PartyId } from '@coinlab/core';
import { Problem } from '../../problem.js';
import { implementsInterface, interfaceNamed, type NetworkInterface } from './interface-views.js';
import { ENTITIES, type NetworkTemplate } from '../templates.js';

const blob = { includeCreatedEventBlob: z.boolean().nullish() };
const identifierFilter = z
  .strictObject({
    Empty: z.object({}).nullish(),
    WildcardFilter: z.object({ value: z.object(blob) }).nullish(),
    TemplateFilter: z.object({ value: z.object({ templateId: z.string(), ...blob }) }).nullish(),
    InterfaceFilter: z
      .object({ value: z.object({ interfaceId: z.string(), includeInterfaceView: z.boolean().nullish(), ...blob }) })
      .nullish(),
  })
  .openapi('IdentifierFilter');
const filters = z
  .object({ cumulative: z.array(z.object({ identifierFilter: identifierFilter.nullish() })).nullish() })
  .openapi('Filters');
const byParty = {
  filtersByParty: z.record(z.string(), filters).nullish(),
  filtersForAnyParty: filters.nullish(),
};

/** The older form. Source: specification of the API §8.3. */
export const transactionFilterSchema = z.object(byParty).openapi('TransactionFilter');
/** The form since Canton 3.4. Source: specification of the API §8.3. */
export const eventFormatSchema = z.object({ ...byParty, verbose: z.boolean().nullish() }).openapi('EventFormat');

export interface Shown {
  readonly hasBlob: boolean;
  readonly interfaces: readonly NetworkInterface[];
  readonly views: readonly NetworkInterface[];
}

type Matches = ReadonlyMap<string, Shown>;

export interface EventFormat {
  readonly ofParty: ReadonlyMap<PartyId, Matches>;
  readonly ofAny: Matches | null;
}

export function eventFormatOf(input: z.output<typeof eventFormatSchema>, field: string): EventFormat {
  const ofParty = new Map<PartyId, Matches>();
  for (const [party, of] of Object.entries(input.filtersByParty ?? {})) {
    const id = PartyId.parse(party);
    if (!id.ok)
      throw new Problem(400, `${field}.filtersByParty: invalid party id ${party}: expected ${id.error.expected}`);
    ofParty.set(id.value, matchesOf(of, `${field}.filtersByParty`));
  }
  const any = input.filtersForAnyParty;
  const ofAny = any ? matchesOf(any, `${field}.filtersForAnyParty`) : null;
  if (ofParty.size === 0 && !ofAny)
    throw new Problem(400, `${field}: filtersByParty and filtersForAnyParty are both empty; name at least one party`);
  return { ofParty, ofAny };
}

export function templatesIn({ ofParty, ofAny }: EventFormat): readonly NetworkTemplate[] {
  const wanted = new Set<NetworkTemplate>();
  for (const matches of [...ofParty.values(), ...(ofAny ? [ofAny] : [])])
    for (const [name, template] of ENTITIES) if (matches.has(name)) wanted.add(template);
  return [...wanted];
}

interface Wish {
  readonly fits: (name: string, template: NetworkTemplate) => boolean;
  readonly hasBlob: boolean;
  readonly hasView: boolean;
  readonly implemented: NetworkInterface | null;
}

const ANYTHING: Wish = { fits: () => true, hasBlob: false, hasView: false, implemented: null };

function matchesOf({ cumulative }: z.output<typeof filters>, field: string): Matches {
  const list = cumulative ?? [];
  const wishes =
    list.length === 0
      ? [ANYTHING]
      : list.map(({ identifierFilter: wish }, i) => wishOf(wish ?? {}, `${field}.cumulative.${i}`));
  const matches = new Map<string, Shown>();
  for (const [name, template] of ENTITIES) {
    const fitting = wishes.filter(({ fits }) => fits(name, template));
    if (fitting.length > 0) matches.set(name, shownBy(fitting));
  }
  return matches;
}

/** A filter without a kind matches every contract, as on the real network. */
function wishOf(filter: z.output<typeof identifierFilter>, field: string): Wish {
  const { TemplateFilter: ofTemplate, InterfaceFilter: ofInterface, WildcardFilter: wildcard } = filter;
  const kinds = Object.entries(filter).flatMap(([kind, value]) => (value ? [kind] : []));
  if (kinds.length > 1)
    throw new Problem(400, `${field}.identifierFilter: expected one kind, not ${kinds.join(' and ')}`);
  if (ofTemplate) {
    const { templateId, includeCreatedEventBlob } = ofTemplate.value;
    const wanted = qualifiedNameOf(templateId, `${field}.identifierFilter.TemplateFilter.value.templateId`);
    return { ...ANYTHING, fits: (name) => name === wanted, hasBlob: includeCreatedEventBlob ?? false };
  }
  if (ofInterface) {
    const { interfaceId, includeInterfaceView, includeCreatedEventBlob } = ofInterface.value;
    const implemented = interfaceNamed(
      qualifiedNameOf(interfaceId, `${field}.identifierFilter.InterfaceFilter.value.interfaceId`),
    );
    return {
      fits: (_, template) => implemented !== null && implementsInterface(template, implemented),
      hasBlob: includeCreatedEventBlob ?? false,
      hasView: includeInterfaceView ?? false,
      implemented,
    };
  }
  return { ...ANYTHING, hasBlob: wildcard?.value.includeCreatedEventBlob ?? false };
}

function shownBy(wishes: readonly Wish[]): Shown {
  const namedBy = (some: readonly Wish[]): readonly NetworkInterface[] => [
    ...new Set(some.flatMap(({ implemented }) => (implemented ? [implemented] : []))),
  ];
  return {
    hasBlob: wishes.some(({ hasBlob }) => hasBlob),
    interfaces: namedBy(wishes),
    views: namedBy(wishes.filter(({ hasView }) => hasView)),
  };
}

const IDENTIFIER = /^(?:#[\w.-]+|[0-9a-f]{64}):([\w.]+:\w+)$/;

/** The package may be given by name or by id, so identifiers are compared without it. */
function qualifiedNameOf(identifier: string, field: string): string {
  const name = IDENTIFIER.exec(identifier)?.[1];
  if (name !== undefined) return name;
  throw new Problem(
    400,
    `${field}: ${identifier} is no identifier; expected #package-name:Module:Entity or <package-id>:Module:Entity, ` +
      'such as #splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding',
  );
}
