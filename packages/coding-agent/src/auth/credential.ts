/** A key as the user stored it: the key itself, `$NAME` of a variable, or `!command` that prints it. */
export interface ApiKeyCredential {
  readonly type: "api_key";
  readonly key: string;
}

/** A login with a vendor. Further fields belong to its flow and are kept. */
export interface OAuthCredential {
  readonly type: "oauth";
  readonly access: string;
  readonly refresh: string;
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
}

export type Credential = ApiKeyCredential | OAuthCredential;

/** Gets a new token for an old one; the whole of what a vendor's login needs besides signing in. */
export interface OAuthFlow {
  /** Must end by itself when `signal` fires. Rejects when the login is no longer good. */
  refresh(credential: OAuthCredential, signal: AbortSignal): Promise<OAuthCredential>;
}
