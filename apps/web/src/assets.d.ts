/** Style sheets are imported for their effect; the bundler collects them. */
declare module "*.css";

/** A module as a worker: its address, not what it exports. */
declare module "*?worker&url" {
  const url: string;
  export default url;
}
