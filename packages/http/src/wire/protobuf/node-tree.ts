import type { DamlTransaction, Node } from './messages.js';

export class NoHash extends Error {}

export interface NodeTree {
  readonly roots: readonly string[];
  readonly nodes: ReadonlyMap<string, Node['nodeType']>;
  readonly seeds: ReadonlyMap<string, Uint8Array>;
}

const SEED_BYTES = 32;

/**
 * Throws {@link NoHash} unless every node is below exactly one root or exercise: a hash must cover every node, in a time that is
 * linear in the size of the message.
 */
export function nodeTreeOf({ roots, nodes, nodeSeeds }: DamlTransaction): NodeTree {
  const byId = new Map<string, Node['nodeType']>();
  for (const { nodeId, versionedNode } of nodes) {
    if (byId.has(nodeId)) throw new NoHash(`node ${nodeId} is listed twice`);
    byId.set(nodeId, versionedNode.oneofKind === 'v1' ? versionedNode.v1.nodeType : { oneofKind: undefined });
  }
  requireTree(roots, byId);
  const seeds = new Map<string, Uint8Array>();
  for (const { nodeId, seed } of nodeSeeds) {
    const id = String(nodeId);
    if (!byId.has(id)) throw new NoHash(`node ${id} is missing`);
    if (seeds.has(id)) throw new NoHash(`the seed of node ${id} is listed twice`);
    if (seed.length !== SEED_BYTES)
      throw new NoHash(`the seed of node ${id} has ${seed.length} bytes, expected ${SEED_BYTES}`);
    seeds.set(id, seed);
  }
  return { roots, nodes: byId, seeds };
}

function requireTree(roots: readonly string[], nodes: NodeTree['nodes']): void {
  const reached = new Set<string>();
  const pending = [...roots];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = nodes.get(id);
    if (!node) throw new NoHash(`node ${id} is missing`);
    if (reached.has(id)) throw new NoHash(`node ${id} is in the tree twice`);
    reached.add(id);
    if (node.oneofKind === 'exercise') for (const child of node.exercise.children) pending.push(child);
  }
  for (const id of nodes.keys()) if (!reached.has(id)) throw new NoHash(`node ${id} is below no root`);
}
