export const HELP = `lodge, a house for a team's Claude Code sessions

  lodge up       start everything: PostgreSQL, the api with the web page, a runner (npm start)
  lodge demo     the same with a scripted model, without any account (npm run demo)
  lodge version  print the version
  lodge help     print this

Settings are environment variables:

  LODGE_HOST, LODGE_PORT       where to listen                          127.0.0.1, 4400
  LODGE_PUBLIC_URL             the address that people type, if another
  LODGE_DATA_DIR               everything that is kept                  ./.lodge
  DATABASE_URL                 a PostgreSQL of yours                    one of our own
  LODGE_ADMIN_LOGIN, LODGE_ADMIN_PASSWORD
                               the first admin                          a link is printed
  LODGE_CLAUDE_BIN             the claude CLI                           the one installed here
  LODGE_RUN_ENV_FILE           variables that each run gets: API key, gateway, proxy

The README has them all. Logs are in <LODGE_DATA_DIR>/logs.
`;
