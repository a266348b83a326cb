// The agent
export { AgentHarness } from "./agent-harness.ts";
export { type CreateCodingAgentOptions, createCodingAgent, type OpenSession } from "./create-coding-agent.ts";
export { CODING_AGENT_ERRORS, CodingAgentError, type CodingAgentErrorCode } from "./errors.ts";
export type { CompactionReason, HarnessEvent, HarnessEventMap, HarnessListener } from "./events.ts";
export type { AddedMessage } from "./session-operations.ts";
export type { NavigateResult } from "./navigation.ts";
export type { Operation } from "./operation-gate.ts";
export type { FlushPolicy } from "./pending-writes.ts";
export type { PromptOptions } from "./prompting.ts";
export type { ForkResult } from "./session-fork.ts";
export type { ModelFor } from "./summary-calls.ts";
export { DEFAULT_RETRY_SETTINGS, type RetrySettings } from "./retry-policy.ts";
export type { Sleep } from "./sleep.ts";
// Facts
export type {
  ContextInspection,
  ContextSource,
  InspectedEntry,
} from "./context-inspection.ts";
export type { EntryState } from "./entry-reason.ts";
export type { ContextUsage } from "./context-usage.ts";
export { type SessionStats, sessionStats } from "./stats.ts";
// Memory
export type { BringRequest, BringResult } from "./memory/bring-back.ts";
export type { FileComparison } from "./memory/changed-files.ts";
export type { CompactionDraft, CompactionOutlook, DraftChoice } from "./memory/compaction-drafts.ts";
export type { DraftEntry } from "./memory/draft-entries.ts";
export type { HistoryStep } from "./memory/compaction-history.ts";
export { type EntryEdit, type EntryEditKind, possibleEdits } from "./memory/entry-edits.ts";
export {
  type RecallRequest,
  type RecallResult,
  recallEntries,
  recallRequestOf,
} from "./memory/recall-entries.ts";
export type { PreviewedInput, RequestPreview } from "./memory/request-preview.ts";
// Prompt
export {
  type ContextFile,
  type ContextFileScope,
  type ContextFilesResult,
  type LoadContextFilesOptions,
  loadContextFiles,
} from "./context-files.ts";
export {
  type PromptSections,
  renderSystemPrompt,
  SECTION_ORDER,
  type SystemPromptInput,
  systemPromptSections,
} from "./system-prompt.ts";
// Hooks and extensions
export type {
  CommandAgent,
  CommandHandler,
  CompactionAnswer,
  CompactionContext,
  DialogOptions,
  Extension,
  ExtensionApi,
  ExtensionCommand,
  ExtensionUi,
} from "./extension.ts";
export type { DialogAnswer, DialogPresenter, DialogRequest } from "./extension-dialogs.ts";
export {
  type ExtensionDiagnostic,
  type FindExtensionsOptions,
  type FoundExtension,
  type FoundExtensions,
  findExtensions,
  type NamedExtensions,
} from "./extensions/find-extensions.ts";
export type { HostModules } from "./extensions/host-modules.ts";
export {
  type LoadedExtensions,
  type LoadExtensionsOptions,
  loadExtensions,
} from "./extensions/load-extensions.ts";
export {
  ExtensionPackages,
  type ExtensionPackagesOptions,
  type InstalledPackage,
} from "./extensions/packages.ts";
export { type PackageSpec, parsePackageSpec } from "./extensions/package-spec.ts";
export { localNpm, type NpmExit, type RunNpm } from "./extensions/run-npm.ts";
export type { RegisteredCommand } from "./extension-registry.ts";
// MCP
export { createMcpExtension, loadMcpServers, type McpExtensionOptions } from "./mcp/mcp-extension.ts";
export type { McpServers } from "./mcp/mcp-servers.ts";
export type { McpServerState, McpServerStatus } from "./mcp/mcp-server.ts";
export { type ConnectRequest, createMcpConnector, type McpConnection } from "./mcp/connection.ts";
export { saveMcpServer, type SaveMcpServer } from "./mcp/save-server.ts";
export type { Variable } from "./mcp/expand-variables.ts";
export { isStdio, type McpServerConfig, mcpServerProblem } from "./mcp/server-config.ts";
// Hooks
export {
  type BeforeCompact,
  type BeforeCompactAnswer,
  type BeforeTree,
  type BeforeTreeAnswer,
  type CodingAgentHooks,
  type Compacted,
  type CompactionFailure,
  codingAgentHooks,
  type SessionMoment,
  type TreeMoved,
  type UserInput,
} from "./hooks.ts";
export type { SuppliedCompaction } from "./supplied-compaction.ts";
// Settings and keys
export type { ConfigFiles, UpdateOptions } from "./config/config-files.ts";
export type { JsoncEdit } from "./config/edit-jsonc.ts";
export { createLocalConfigFiles, type LocalConfigFilesOptions } from "./config/local-config-files.ts";
export type { GuessName } from "./config/config-place.ts";
export { isHttpUrl } from "./config/http-url.ts";
export {
  type DeclaredKey,
  type ModelsFile,
  type ParseModelsFileOptions,
  parseModelsFile,
} from "./models-file/models-file.ts";
export { type ModelsFileContent, ModelsFileSchema, modelsJsonSchema } from "./models-file/schema.ts";
export { type LoadedSettings, type LoadSettingsOptions, loadSettings } from "./settings/load-settings.ts";
export { mergeSettings } from "./settings/merge-settings.ts";
export { type SavePermissionRuleOptions, savePermissionRule } from "./settings/save-permission-rule.ts";
export { saveSetting } from "./settings/save-setting.ts";
export { type Settings, SettingsSchema, settingsJsonSchema } from "./settings/schema.ts";
export { AuthStore, type AuthStoreOptions } from "./auth/auth-store.ts";
export type { ApiKeyCredential, Credential, OAuthCredential, OAuthFlow } from "./auth/credential.ts";
export {
  createKeyResolver,
  type KeyResolverOptions,
  type KeySource,
  type ResolvedKey,
} from "./auth/key-resolver.ts";
export { login } from "./auth/login.ts";
export type { LoginOptions, LoginStep } from "./auth/login-options.ts";
export { type LoginWay, loginWays, type OAuthServer } from "./auth/oauth-server.ts";
export { createTokenFlow, type TokenFlowOptions } from "./auth/token-flow.ts";
export { resolveSecret, type SecretSources, shellSecrets } from "./auth/resolve-secret.ts";
// Skills and prompt templates
export {
  type ResourceFoldersOptions,
  type ResourceKind,
  resourceFolders,
} from "./resources/resource-folders.ts";
export type { ResourceRoot, ResourceSource } from "./resources/resource-root.ts";
export { type LoadedSkills, type LoadSkillsOptions, loadSkills } from "./skills/load-skills.ts";
export type { Skill } from "./skills/skill.ts";
export { expandSkill, skillsSection } from "./skills/skill-text.ts";
export { type ExpandCommandOptions, expandCommand } from "./resources/expand-command.ts";
export { expandTemplate } from "./prompt-templates/expand-template.ts";
export {
  type LoadPromptTemplatesOptions,
  loadPromptTemplates,
  type PromptTemplate,
} from "./prompt-templates/load-prompt-templates.ts";
// Trust
export { type ProjectContent, projectContent } from "./trust/project-content.ts";
export {
  type ProjectTrust,
  type ResolveTrustOptions,
  resolveTrust,
  type TrustRequest,
} from "./trust/resolve-trust.ts";
export {
  type KnownTrust,
  type TrustDecision,
  type TrustState,
  TrustStore,
  type TrustStoreOptions,
} from "./trust/trust-store.ts";
// Permissions
export {
  type PermissionAnswer,
  PermissionGuard,
  type PermissionGuardOptions,
  type PermissionRequest,
  type RememberedRule,
} from "./permissions/permission-guard.ts";
export {
  PERMISSION_MODES,
  type PermissionDecision,
  type PermissionMode,
  PermissionPolicy,
  type PermissionQuestion,
  type PermissionRules,
} from "./permissions/permission-policy.ts";
export type { ShellCommand, ShellLine } from "./permissions/shell-command.ts";
export { splitShellLine } from "./permissions/split-shell-line.ts";
export type {
  Environment,
  FileInfo,
  FileSystem,
  RipgrepExit,
  RipgrepRunOptions,
  RunRipgrep,
  Scratch,
  ScratchFile,
  Shell,
  ShellExit,
  ShellRunOptions,
} from "./env/environment.ts";
// Secrets
export { findSecrets, type FoundSecret, SECRET_KINDS } from "./secrets/find-secrets.ts";
export type { SecretKind } from "./secrets/secret-kind.ts";
export {
  type ExportedSessionFile,
  type ExportSessionFileOptions,
  exportSessionFile,
} from "./secrets/export-session-file.ts";
export {
  type RedactedFile,
  type RestoredFile,
  redactSessionFile,
  restoreSessionFile,
  type SecretsAtRestOptions,
} from "./secrets/secrets-at-rest.ts";
export {
  createRedactor,
  type RedactedSecret,
  type Redactor,
  type RedactorOptions,
  redactSecrets,
} from "./secrets/redactor.ts";
// Images
export { type FitImageOptions, type FittedImage, fitImage, type ImageProblem } from "./images/fit-image.ts";
export {
  DEFAULT_IMAGE_LIMITS,
  type ImageLimits,
  imageLimitsOf,
  MAX_IMAGE_FILE_BYTES,
} from "./images/image-limits.ts";
export type { ShrinkImage, ShrinkRequest, ShrunkImage } from "./images/shrink-image.ts";
export type { ImageSize } from "./text/image-size.ts";
export { detectImageType } from "./text/image-type.ts";
export { formatBytes } from "./text/byte-count.ts";
// Files put back to an earlier state
export { DEFAULT_SNAPSHOT_LIMITS, type SnapshotLimits } from "./rewind/snapshot-limits.ts";
export { createSnapshots, type SnapshotOptions, type Snapshots } from "./rewind/create-snapshots.ts";
export type { KeptReason, RestoreOutcome, SetAside } from "./rewind/restore-files.ts";
export { FILES_RESTORED_TYPE } from "./rewind/rewind-plan.ts";
// Environment and tools
export {
  createLocalEnvironment,
  type LocalEnvironment,
  type LocalEnvironmentOptions,
} from "./env/local-environment.ts";
export type { LocalShell } from "./env/local-shell.ts";
export { type ProviderKeyOptions, withoutProviderKeys } from "./env/provider-keys.ts";
export { type BashDetails, createBashTool } from "./tools/bash/tool.ts";
export { createFileTree } from "./file-tree/create-file-tree.ts";
export type { FileTree, TreeChange, UnkeptFile, UnkeptLimits } from "./file-tree/file-tree.ts";
export { createBuiltinTools } from "./tools/builtin-tools.ts";
export { createEditTool, type EditDetails } from "./tools/edit/tool.ts";
export type { FileStamp } from "./file-tree/file-stamp.ts";
export { FileLedger } from "./tools/file-ledger.ts";
export { createFindTool, type FindDetails } from "./tools/find/tool.ts";
export { createGrepTool, type GrepDetails } from "./tools/grep/tool.ts";
export { createLsTool, type LsDetails } from "./tools/ls/tool.ts";
export { createReadTool, type ReadDetails } from "./tools/read/tool.ts";
export { createRecallTool, type RecallDetails, type RecallToolOptions } from "./tools/recall/tool.ts";
export type { RecallSource } from "./tools/recall/recall-originals.ts";
export type { TextDiff } from "./text/diff.ts";
export type { Truncation } from "./text/truncate.ts";
export { ToolError } from "./tools/tool-error.ts";
export { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES, type ToolOptions } from "./tools/tool-options.ts";
export { createWriteTool, type WriteDetails } from "./tools/write/tool.ts";
