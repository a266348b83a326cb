import { posix } from "node:path";
import type { FileInfo, FileSystem } from "../env/environment.ts";

type Node =
  | { readonly kind: "file"; data: Uint8Array; mode: number; modifiedAtMs: number }
  | { readonly kind: "directory" }
  | { readonly kind: "symlink"; readonly target: string }
  | { readonly kind: "other" };

const MAX_LINKS = 40;

/** A file system in memory with folders, links and modes; paths are POSIX. Errors carry Node's codes. */
export class MemoryFiles implements FileSystem {
  readonly #now: () => number;
  readonly #nodes = new Map<string, Node>([["/", { kind: "directory" }]]);

  constructor(options: { readonly now: () => number }) {
    this.#now = options.now;
  }

  /** Sets a file, making its folders. */
  put(path: string, data: Uint8Array, mode = 0o644): void {
    this.#makeFolders(posix.dirname(path));
    this.#nodes.set(path, { kind: "file", data: Uint8Array.from(data), mode, modifiedAtMs: this.#now() });
  }

  /** Takes a file, link or empty folder away. */
  remove(path: string): void {
    this.#nodes.delete(path);
  }

  setMode(path: string, mode: number): void {
    const file = this.#requireFile(path);
    file.mode = mode;
  }

  /** Sets a symbolic link. */
  link(path: string, target: string): void {
    this.#makeFolders(posix.dirname(path));
    this.#nodes.set(path, { kind: "symlink", target });
  }

  /** Sets an empty folder. */
  makeFolder(path: string): void {
    this.#makeFolders(path);
  }

  /** Sets something that is no file, such as a device. */
  putDevice(path: string): void {
    this.#makeFolders(posix.dirname(path));
    this.#nodes.set(path, { kind: "other" });
  }

  async stat(path: string): Promise<FileInfo> {
    const node = this.#require(await this.realPath(path));
    if (node.kind !== "file") return { kind: node.kind, sizeBytes: 0, modifiedAtMs: 0, mode: 0o755 };
    return { kind: "file", sizeBytes: node.data.length, modifiedAtMs: node.modifiedAtMs, mode: node.mode };
  }

  async readFile(path: string): Promise<Uint8Array> {
    return Uint8Array.from(this.#requireFile(await this.realPath(path)).data);
  }

  async readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
    const { data } = this.#requireFile(await this.realPath(path));
    return Uint8Array.from(data.subarray(offset, offset + length));
  }

  async writeFile(path: string, data: Uint8Array): Promise<void> {
    const target = await this.realPath(path);
    const existing = this.#nodes.get(target);
    if (existing === undefined) {
      this.put(target, data);
      return;
    }
    const file = this.#requireFile(target);
    if ((file.mode & 0o200) === 0) throw fileError("EACCES", "permission denied", target);
    this.put(target, data, file.mode);
  }

  async readDirectory(
    path: string,
  ): Promise<readonly { readonly name: string; readonly kind: FileInfo["kind"] }[]> {
    const folder = await this.realPath(path);
    if (this.#require(folder).kind !== "directory") throw fileError("ENOTDIR", "not a directory", path);
    const prefix = folder === "/" ? "/" : `${folder}/`;
    return [...this.#nodes]
      .filter(([name]) => name !== "/" && name.startsWith(prefix) && !name.slice(prefix.length).includes("/"))
      .map(([name, node]) => ({ name: name.slice(prefix.length), kind: node.kind }));
  }

  async realPath(path: string): Promise<string> {
    return this.#resolve(posix.resolve(path), MAX_LINKS);
  }

  #resolve(path: string, linksLeft: number): string {
    const parent = posix.dirname(path);
    const place = parent === path ? path : posix.join(this.#resolve(parent, linksLeft), posix.basename(path));
    const node = this.#nodes.get(place);
    if (node?.kind !== "symlink") return place;
    if (linksLeft === 0) throw fileError("ELOOP", "too many symbolic links", path);
    return this.#resolve(posix.resolve(posix.dirname(place), node.target), linksLeft - 1);
  }

  #require(path: string): Node {
    const node = this.#nodes.get(path);
    if (node === undefined) throw fileError("ENOENT", "no such file or directory", path);
    return node;
  }

  #requireFile(path: string): Extract<Node, { kind: "file" }> {
    const node = this.#require(path);
    if (node.kind === "directory") throw fileError("EISDIR", "illegal operation on a directory", path);
    if (node.kind !== "file") throw fileError("EINVAL", "not a regular file", path);
    return node;
  }

  #makeFolders(path: string): void {
    const parent = posix.dirname(path);
    if (parent !== path) this.#makeFolders(parent);
    const node = this.#nodes.get(path);
    if (node === undefined) this.#nodes.set(path, { kind: "directory" });
    else if (node.kind === "file") throw fileError("ENOTDIR", "not a directory", path);
  }
}

function fileError(code: string, what: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${what}, '${path}'`), { code, path });
}
