CREATE TABLE "api_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "blobs" (
	"session_id" uuid NOT NULL,
	"id" text NOT NULL,
	"media_type" text NOT NULL,
	"size" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "blobs_pkey" PRIMARY KEY("session_id","id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"session_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"run_id" uuid,
	"line" integer,
	"n" smallint,
	"type" text NOT NULL,
	"at" bigint NOT NULL,
	"source" text NOT NULL,
	"by_user" text,
	"by_via" text,
	"inferred" boolean DEFAULT false NOT NULL,
	"sanitised" boolean DEFAULT false NOT NULL,
	"data" jsonb NOT NULL,
	CONSTRAINT "events_pkey" PRIMARY KEY("session_id","seq"),
	CONSTRAINT "events_seq_check" CHECK ("events"."seq" > 0)
);
--> statement-breakpoint
CREATE TABLE "login_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "memos" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"fold_version" integer NOT NULL,
	"seq" integer NOT NULL,
	"state" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "raw" (
	"run_id" uuid NOT NULL,
	"dir" text NOT NULL,
	"line" integer NOT NULL,
	"session_id" uuid NOT NULL,
	"at" bigint NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "raw_pkey" PRIMARY KEY("run_id","dir","line"),
	CONSTRAINT "raw_dir_check" CHECK ("raw"."dir" in ('in', 'out', 'err'))
);
--> statement-breakpoint
CREATE TABLE "runners" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"last_generation" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone,
	"disabled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"runner_id" text,
	"done_line" integer DEFAULT 0 NOT NULL,
	"done_offset" bigint DEFAULT 0 NOT NULL,
	"replay_line" integer DEFAULT 0 NOT NULL,
	"replay_offset" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"runner_id" text,
	"cwd" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"status" text DEFAULT 'idle' NOT NULL,
	"process_alive" boolean DEFAULT false NOT NULL,
	"activity" text DEFAULT 'idle' NOT NULL,
	"title" text,
	"needs_me" integer DEFAULT 0 NOT NULL,
	"head" integer DEFAULT 0 NOT NULL,
	"last_event_at" bigint DEFAULT (extract(epoch from now()) * 1000)::bigint NOT NULL,
	"last_error" text,
	"cost_usd" double precision DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "setup" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"secret_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "setup_single_check" CHECK ("setup"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_role_check" CHECK ("users"."role" in ('member', 'admin'))
);
--> statement-breakpoint
CREATE TABLE "writer_lease" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"epoch" bigint NOT NULL,
	"holder" text NOT NULL,
	"renewed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "writer_lease_single_check" CHECK ("writer_lease"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_sessions" ADD CONSTRAINT "login_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_runner_id_runners_id_fk" FOREIGN KEY ("runner_id") REFERENCES "public"."runners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_hash_key" ON "api_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_tokens_user_idx" ON "api_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_line_key" ON "events" USING btree ("run_id","line","n") WHERE "events"."line" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "events_input_key" ON "events" USING btree ("session_id",("data" ->> 'inputId')) WHERE "events"."type" = 'input:queued';--> statement-breakpoint
CREATE UNIQUE INDEX "events_resolution_key" ON "events" USING btree ("session_id",("data" ->> 'requestId'),"run_id") WHERE "events"."type" = 'permission:resolved';--> statement-breakpoint
CREATE UNIQUE INDEX "events_run_end_key" ON "events" USING btree ("run_id") WHERE "events"."type" = 'run:end';--> statement-breakpoint
CREATE INDEX "login_sessions_user_idx" ON "login_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "login_sessions_expiry_idx" ON "login_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "runners_name_key" ON "runners" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "runners_token_key" ON "runners" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "runs_session_idx" ON "runs" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "sessions_owner_recent_idx" ON "sessions" USING btree ("owner_id","last_event_at","id") WHERE "sessions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_recent_idx" ON "sessions" USING btree ("last_event_at","id") WHERE "sessions"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_login_key" ON "users" USING btree (lower("login"));