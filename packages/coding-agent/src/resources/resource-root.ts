/** Who a resource comes from; of two with one name the earlier of these wins. */
export type ResourceSource = "cli" | "project" | "user" | "package";

const RESOURCE_SOURCES: readonly ResourceSource[] = ["cli", "project", "user", "package"];

/** A folder (or file) to look for resources in. */
export interface ResourceRoot {
  /** Absolute. */
  readonly path: string;
  readonly source: ResourceSource;
}

interface Named {
  readonly name: string;
  readonly path: string;
  readonly source: ResourceSource;
}

/**
 * One resource a name, by the order of sources and then of finding; the others are one diagnostic each.
 *
 * `reserved` names belong to the host and win over all.
 */
export function withoutCollisions<Resource extends Named>(
  found: readonly Resource[],
  { kind, reserved = new Set() }: { readonly kind: string; readonly reserved?: ReadonlySet<string> },
): { readonly resources: readonly Resource[]; readonly diagnostics: readonly string[] } {
  const rank = ({ source }: Resource) => RESOURCE_SOURCES.indexOf(source);
  const winners = new Map<string, Resource>();
  const diagnostics: string[] = [];
  for (const resource of found.toSorted((a, b) => rank(a) - rank(b))) {
    const winner = winners.get(resource.name);
    if (reserved.has(resource.name)) {
      diagnostics.push(
        `${resource.path}: the ${kind} "${resource.name}" has the name of a built-in command, which wins.`,
      );
    } else if (winner === undefined) winners.set(resource.name, resource);
    else {
      diagnostics.push(`${resource.path}: the ${kind} "${resource.name}" is hidden by ${winner.path}.`);
    }
  }
  return { resources: [...winners.values()], diagnostics };
}
