import type { JSX } from 'preact';
import { linkTo, param } from '../store/route.js';

export function ContractLink({ id }: { readonly id: number }): JSX.Element {
  return <a href={linkTo('ledger', { ...filtersNow(), contract: String(id) })}>#{id}</a>;
}

function filtersNow(): Record<string, string | null> {
  return { template: param('template'), party: param('party'), text: param('text') };
}
