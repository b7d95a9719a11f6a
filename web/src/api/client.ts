import createClient from "openapi-fetch";
import { API_BASE } from "./base";
import type { paths } from "./schema";

/** The typed client of the HTTP interface; wrap its calls in `unwrap` to get data or an `ApiError`. */
export const api = createClient<paths>({ baseUrl: API_BASE === "" ? window.location.origin : API_BASE });
