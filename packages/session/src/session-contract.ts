import type { SessionRepo } from "./repo.ts";
import type { Session } from "./session.ts";

/** Names that other packages import until they use the classes. */
export type SessionShape = Session;
export type SessionRepoShape = SessionRepo;
