/** What a manifest says of its project. Every value stands in the file's text. */
export interface ManifestFacts {
  readonly path: string;
  readonly ecosystem: string;
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  /** Paths of entry files, as written. */
  readonly entries: readonly string[];
  readonly scripts: readonly string[];
  readonly dependencies: readonly string[];
  /** A test command that the manifest or its ecosystem defines. */
  readonly testCommand?: string;
}

interface ManifestKind {
  readonly ecosystem: string;
  readonly read: (text: string) => Omit<ManifestFacts, "path" | "ecosystem">;
}

/** File name → how to read it, most telling first. */
const MANIFESTS: Readonly<Record<string, ManifestKind>> = {
  "package.json": { ecosystem: "JavaScript package", read: readPackageJson },
  "Cargo.toml": {
    ecosystem: "Rust crate",
    read: (text) => ({ ...readToml(text), testCommand: "cargo test" }),
  },
  "pyproject.toml": {
    ecosystem: "Python project",
    read: (text) => ({ ...readToml(text), testCommand: "python3 -m pytest" }),
  },
  "go.mod": { ecosystem: "Go module", read: readGoMod },
  Makefile: { ecosystem: "project built with make", read: readMakefile },
};

export const MANIFEST_NAMES: readonly string[] = Object.keys(MANIFESTS);

/** The facts of a manifest's text; undefined for a file that is none or cannot be read as one. */
export function readManifest(path: string, text: string): ManifestFacts | undefined {
  const kind = MANIFESTS[path.split("/").at(-1) ?? ""];
  if (!kind) return undefined;
  try {
    return { path, ecosystem: kind.ecosystem, ...kind.read(text) };
  } catch {
    return undefined;
  }
}

function readPackageJson(text: string): Omit<ManifestFacts, "path" | "ecosystem"> {
  const json: unknown = JSON.parse(text);
  const manifest = isRecord(json) ? json : {};
  const scripts = stringsOf(manifest.scripts);
  return {
    ...pick(manifest, ["name", "version", "description"]),
    entries: [...new Set(entryPaths([manifest.bin, manifest.exports, manifest.module, manifest.main]))],
    scripts: Object.entries(scripts).map(([name, command]) => `${name}: ${command}`),
    dependencies: Object.keys(stringsOf(manifest.dependencies)),
    ...(scripts.test === undefined ? {} : { testCommand: "npm test" }),
  };
}

/** All file paths inside a package.json entry field: a string, or objects of them to any depth. */
function entryPaths(value: unknown): readonly string[] {
  if (typeof value === "string")
    return /(?<!\.d)\.[cm]?[jt]sx?$/.test(value) ? [value.replace(/^\.\//, "")] : [];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(entryPaths) : [];
}

function readToml(text: string): Omit<ManifestFacts, "path" | "ecosystem"> {
  const field = (name: string) => new RegExp(`^${name}\\s*=\\s*"([^"]*)"`, "m").exec(text)?.[1];
  const section =
    /^\[(?:dependencies|tool\.poetry\.dependencies)\]\n((?:(?!\[).*\n?)*)/m.exec(text)?.[1] ?? "";
  return {
    ...pick({ name: field("name"), version: field("version"), description: field("description") }, [
      "name",
      "version",
      "description",
    ]),
    entries: [],
    scripts: [],
    dependencies: [...section.matchAll(/^([\w-]+)\s*=/gm)].map((match) => match[1] ?? ""),
  };
}

function readGoMod(text: string): Omit<ManifestFacts, "path" | "ecosystem"> {
  return {
    ...pick({ name: /^module\s+(\S+)/m.exec(text)?.[1] }, ["name"]),
    entries: [],
    scripts: [],
    dependencies: [...text.matchAll(/^\s+(\S+)\s+v\S+$/gm)].map((match) => match[1] ?? ""),
    testCommand: "go test ./...",
  };
}

function readMakefile(text: string): Omit<ManifestFacts, "path" | "ecosystem"> {
  const targets = [...text.matchAll(/^([\w-]+):(?!=)/gm)].map((match) => match[1] ?? "");
  return {
    entries: [],
    scripts: targets.map((target) => `make ${target}`),
    dependencies: [],
    ...(targets.includes("test") ? { testCommand: "make test" } : {}),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stringsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

function pick<Key extends string>(
  from: Record<string, unknown>,
  keys: readonly Key[],
): Partial<Record<Key, string>> {
  const picked: Partial<Record<Key, string>> = {};
  for (const key of keys) {
    const value = from[key];
    if (typeof value === "string" && value !== "") picked[key] = value;
  }
  return picked;
}
