// The types of the API, written by scripts/write-client.ts from the OpenAPI document; not edited by hand.
import type { Answer, Listing } from '../answer.js'
import type { RequestOptions } from '../request.js'
import type { Upload } from '../upload.js'

export type Method<Input, Data> = (input: Input, options?: RequestOptions) => Answer<Data>
export type List<Input, Item, Page = Item[]> = (input: Input, options?: RequestOptions) => Listing<Item, Page>
export type Variants<Input, Usual, Data, Special, Other> = {
(input: Input & Usual, options?: RequestOptions): Answer<Data>
(input: Input & Special, options?: RequestOptions): Answer<Other>
}
export type OptionalMethod<Input, Data> = (input?: Input, options?: RequestOptions) => Answer<Data>
export type OptionalList<Input, Item, Page = Item[]> = (input?: Input, options?: RequestOptions) => Listing<Item, Page>
export type OptionalVariants<Input, Usual, Data, Special, Other> = {
(input?: Input & Usual, options?: RequestOptions): Answer<Data>
(input: Input & Special, options?: RequestOptions): Answer<Other>
}
export type DeviceType = "laptop" | "mobile" | "tablet" | "monitor" | "gaming_console" | "headphone"
export type DistanceBasis = "actual" | "shortest_feasible" | "great_circle"
export type RecordedBy = {key:string;label:string}
export type Cause = {event_id?:string;customer_id?:string;order_id?:string;serial_number?:string}
export type Type = "order.created" | "order.corrected" | "order.restated" | "order.changed" | "device.closed" | "statement.issued" | "statement.superseded" | "import.finished" | "release.available" | "release.applied" | "webhook.test"
export type Types = "order.created" | "order.corrected" | "order.restated" | "order.changed" | "device.closed" | "statement.issued" | "statement.superseded" | "import.finished" | "release.available" | "release.applied"
export type Reason = "order" | "extension" | "early_return" | "late_return" | "return" | "cancelled" | "reversal" | "swapped_out" | "swapped_in" | "refurbishment" | "retirement" | "loss" | "identification" | "withdrawal" | "correction" | "overlap" | "resequenced"
export type Emission = {packaging?:EmissionBreakdown;product_embodied_emission?:EmissionBreakdown;product_use?:EmissionBreakdown;transportation?:EmissionBreakdown}
export type TypeValue = "estimated" | "indicative"
export type Status = "created" | "amended" | "returned" | "cancelled" | "reversed"
export type Sources = {no:number;title:string;publisher:string;year:number | null;url:string;licence:string;origin?:"account";version?:number;document_sha256?:string;verified_by?:string}
export type SignedBy = {algorithm:"ed25519";public_key:string;fingerprint:string}
export type Hash = {algorithm:"sha256";of:string;value:string}
export type Signature = {algorithm:"EdDSA";of:string;value:string}
export type BalanceBefore = {remaining_kg:string;remaining:string;allocated_kg:string;allocated:string;unallocated:string;kg_per_month:string;lifetime_months:string;months_allocated:string}
export type PostedTotal = {product_embodied_emission:string;product_use:string;packaging:string;transportation:string}
export type State = "unmatched" | "variant" | "name" | "stale" | "was_mapped" | "mapped"
export type Solution = {product_embodied_emission:number;product_use:number;packaging:number;transportation:number;total_emission:number}
export type Interval = {low:number;high:number;level:0.95}
export type Kind = "orders" | "events"
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250"
export type Dates = "YYYY-MM-DD" | "YYYY/MM/DD" | "DD.MM.YYYY" | "DD/MM/YYYY" | "DD-MM-YYYY" | "MM/DD/YYYY" | "MM-DD-YYYY" | "DD.MM.YY" | "DD/MM/YY" | "DD-MM-YY" | "MM/DD/YY" | "MM-DD-YY"
export type Scope = {product_ids?:string[];model_ids?:string[];serial_numbers?:string[];import_id?:number;tenure_start_from?:string}
export type Figures = {mappings?:"current";own?:"current";release?:string;before_restatement?:number}
export type Bridge = {identification?:number;device_figures?:number;electricity?:number;transport_and_packaging?:number}
export type Problems = {customer_id:string;order_id:string;problem:string;problem_message:MessageReference | null}
export type Scopes = "orders:write" | "orders:read" | "catalogue:read" | "admin"
export type KindValue = "contract" | "certificate" | "supplier"
export type Mode = "road" | "rail" | "sea" | "air"
export type Closings = {closed_until:string | null;kind:"closed" | "reopened" | "upgraded";recorded_at:string;key:string | null;reason:string | null}
export type ByType = {name:string;emission:string;share_percent:string | null}
export type Part = "product_embodied_emission" | "product_use" | "packaging" | "transportation"
export type MatchLevel = "model" | "factor" | "family" | "brand-fit" | "brand" | "type-fit" | "type" | "weight-fit" | "weight" | "similar-factor"
export type Changes = {kind:string;key:string;change:"added" | "removed" | "changed";old:number | null;new:number | null;percent:number | null}
export type Format = "csv" | "xlsx" | "json"
export type About = {export:string;account:string;reporting_entity:string;consolidation_approach:string;lease_type:string;exported_at:string;dataset_releases:string[];method_version:string;emission_unit:string;filters:Record<string, string[]>}
export type ErrorCode = 'invalid_request' | 'unauthorized' | 'foreign_origin' | 'missing_scope' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'precondition_failed' | 'too_large' | 'unsupported_media_type' | 'expectation_failed' | 'too_many_requests' | 'too_many_imports' | 'too_many_wrong_keys' | 'headers_too_large' | 'internal' | 'unavailable' | 'storage_full' | 'read_only'
export type OrderItem = ProductItem | TransportationItem | PackagingItem
export interface OrderParams {
customer_id:string
order_id:string
order_date:string
tenure_start_date:string
country?:string
metadata?:Record<string, string>
items?:OrderItem[]
}
export interface PackagingConfig {
packaging_id:string
weight_kg:number
}
export interface PackagingItem {
type:"packaging"
config:PackagingConfig
}
export interface ProductConfig {
product_id:string
serial_number:string
tenure_months:number
weight_kg:number
product_name?:string
brand?:string
device_type?:DeviceType
model_id?:string
country?:string
}
export interface ProductItem {
type:"product"
config:ProductConfig
}
export interface TransportationConfig {
transportation_id:string
transportation_mode:string
distance_km:number
weight_kg:number
distance_basis?:DistanceBasis
}
export interface TransportationItem {
type:"transportation"
config:TransportationConfig
}
export interface CancelledEvent {
event_id:string
type:"cancelled"
serial_number?:string
date:string
dispatched?:boolean
}
export type DeviceEventParams = RefurbishedEvent | RetiredEvent | LostEvent | IdentifiedEvent | WithdrawnEvent
export interface EmissionDefault {
device_type:DeviceType
low_kg:number
high_kg:number
dataset_release:string
}
export interface ExtendedEvent {
event_id:string
type:"extended"
serial_number?:string
tenure_months:number
}
export interface IdentifiedEvent {
event_id:string
type:"identified"
model_id?:string
device_type?:DeviceType
weight_kg?:number
reason?:string
}
export interface LostEvent {
event_id:string
type:"lost"
date:string
}
export type OrderEventParams = ReturnedEvent | ExtendedEvent | CancelledEvent | SwappedEvent | WithdrawnEvent
export interface OrderIdentification {
event_id:string
type:"identified"
customer_id:string
order_id:string
footprint_id:string
exact_weight_kg?:string
product_id?:string
match_method?:string
}
export interface RecordedDeviceEvent {
recorded_at:string
recorded_by:RecordedBy | {import_id:number} | null
withdrawn_by?:string
event:RefurbishedByDefault | DeviceEventParams | OrderIdentification
}
export interface RecordedEvent {
recorded_at:string
recorded_by:RecordedBy | {import_id:number} | null
withdrawn_by?:string
event:OrderEventParams | ReversedEvent
}
export interface RefurbishedByDefault {
event_id:string
type:"refurbished"
date:string
emission_kg:number
lifetime_months_added:number
emission_default:EmissionDefault
}
export interface RefurbishedEvent {
event_id:string
type:"refurbished"
date:string
emission_kg?:number
lifetime_months_added:number
}
export interface RetiredEvent {
event_id:string
type:"retired"
date:string
}
export interface ReturnedEvent {
event_id:string
type:"returned"
serial_number?:string
date:string
}
export interface ReversedEvent {
event_id:string
type:"reversed"
serial_number?:string
import_id:number
}
export interface SwappedEvent {
event_id:string
type:"swapped"
serial_number?:string
date:string
new_serial_number:string
weight_kg:number
product_id?:string
product_name?:string
brand?:string
device_type?:DeviceType
model_id?:string
}
export interface WithdrawnEvent {
event_id:string
type:"withdrawn"
withdraws:string
reason?:string
}
export interface EventPreview {
event_id?:string
already_recorded:boolean
emission_unit:string
counts_from:string | null
difference:PartEmissions
warnings?:Problem[]
orders:{customer_id:string;order_id:string;before:PartEmissions;after:PartEmissions;difference:PartEmissions}[]
devices:{serial_number:string;embodied_total_before:number;embodied_total_after:number}[]
years:{customer_id:string;year:number;difference:PartEmissions}[] | null
}
export interface PartEmissions {
total_emission:number
product_embodied_emission:number
product_use:number
packaging:number
transportation:number
}
export interface DeviceClosedData {
serial_number:string
reason:string
cause:Cause
link:string
}
export interface FeedEvent {
specversion:"1.0"
id:string
source:string
type:Type
subject:string
time:string
datacontenttype:"application/json"
dataschema?:string
data:OrderCreatedData | OrderChangedData | DeviceClosedData | StatementIssuedData | StatementSupersededData | ImportFinishedData | ReleaseData | WebhookTestData
}
export interface FeedPage {
events:FeedEvent[]
next:string
has_more:boolean
}
export interface ImportFinishedData {
import_id:number
state:string
link:string
}
export interface OrderChangedData {
customer_id:string
order_id:string
old_total_emission:number | null
new_total_emission:number | null
emission_unit:string
cause:Cause
link:string
}
export interface OrderCreatedData {
customer_id:string
order_id:string
new_total_emission:number | null
emission_unit:string
link:string
}
export interface ReleaseData {
dataset_release:string
link:string
}
export interface StatementIssuedData {
year:number
link:string
}
export interface StatementSupersededData {
customer_id:string
year:number
cause:{restatement_id:number}
link:string
}
export interface WebhookTestData {
message:string
}
export interface Webhook {
webhook_id:number
url:string
types:Types[]
description:string
enabled:boolean
disabled_reason:"gone" | "attempts_exhausted" | null
created_at:string
previous_secret_until:string | null
failures_in_a_row:number
paused_until:string | null
number_of_waiting_deliveries:number
}
export interface WebhookChanges {
url?:string
types?:Types[]
description?:string
enabled?:boolean
}
export interface WebhookDelivery {
delivery_id:number
type:Type
event_time:string
state:"waiting" | "succeeded" | "failed"
number_of_attempts:number
next_attempt_at:string | null
last_attempt_at:string | null
last_status:number | null
last_problem:"target_refused" | "name_not_resolved" | "connection_failed" | "timeout" | "redirect" | "status" | "event_expired" | null
last_milliseconds:number | null
}
export interface WebhookParams {
url:string
types?:Types[]
description?:string
enabled?:boolean
}
export interface WebhookWithSecret {
secret:string
webhook_id:number
url:string
types:Types[]
description:string
enabled:boolean
disabled_reason:"gone" | "attempts_exhausted" | null
created_at:string
previous_secret_until:string | null
failures_in_a_row:number
paused_until:string | null
number_of_waiting_deliveries:number
}
export interface EventBatchParams {
events:(EventOfOrderParams | EventOfDeviceParams)[]
}
export type EventOfDeviceParams = DeviceRefurbishedEvent | DeviceRetiredEvent | DeviceLostEvent | DeviceIdentifiedEvent | DeviceWithdrawnEvent
export type EventOfOrderParams = OrderReturnedEvent | OrderExtendedEvent | OrderCancelledEvent | OrderSwappedEvent | OrderWithdrawnEvent
export interface OrderBatchParams {
orders:OrderParams[]
}
export interface OrderReturnedEvent {
customer_id:string
order_id:string
event_id:string
type:"returned"
serial_number?:string
date:string
}
export interface OrderExtendedEvent {
customer_id:string
order_id:string
event_id:string
type:"extended"
serial_number?:string
tenure_months:number
}
export interface OrderCancelledEvent {
customer_id:string
order_id:string
event_id:string
type:"cancelled"
serial_number?:string
date:string
dispatched?:boolean
}
export interface OrderSwappedEvent {
customer_id:string
order_id:string
event_id:string
type:"swapped"
serial_number?:string
date:string
new_serial_number:string
weight_kg:number
product_id?:string
product_name?:string
brand?:string
device_type?:DeviceType
model_id?:string
}
export interface OrderWithdrawnEvent {
customer_id:string
order_id:string
event_id:string
type:"withdrawn"
withdraws:string
reason?:string
}
export interface DeviceRefurbishedEvent {
serial_number:string
event_id:string
type:"refurbished"
date:string
emission_kg?:number
lifetime_months_added:number
}
export interface DeviceRetiredEvent {
serial_number:string
event_id:string
type:"retired"
date:string
}
export interface DeviceLostEvent {
serial_number:string
event_id:string
type:"lost"
date:string
}
export interface DeviceIdentifiedEvent {
serial_number:string
event_id:string
type:"identified"
model_id?:string
device_type?:DeviceType
weight_kg?:number
reason?:string
}
export interface DeviceWithdrawnEvent {
serial_number:string
event_id:string
type:"withdrawn"
withdraws:string
reason?:string
}
export interface EventBatchResponse {
results:{event_id?:string;status:number;idempotent_replayed?:boolean;warnings?:Problem[];error?:string;code?:string;reason?:MessageReference;details?:Problem[]}[]
}
export interface OrderBatchResponse {
emission_unit:string
results:{customer_id?:string;order_id?:string;status:number;idempotent_replayed?:boolean;warnings?:Problem[];error?:string;code?:string;reason?:MessageReference;details?:Problem[];total_emission?:number}[]
}
export interface LifeAllocation {
method:"capped_linear" | "first_life" | "last_life" | "equal" | "actual_months" | "actual_months_pooled" | "economic" | "years_digits" | "factor_a_0.2" | "factor_a_0.5" | "factor_a_0.8"
provisional:boolean
posted:boolean
lives?:{customer_id:string;order_id:string;from:string;to:string;months:number;embodied_emission:number}[]
residual?:number
resale_values_needed?:number
total:number
}
export interface DeviceHistory {
initial:{footprint_id:string;identified_by?:string;name:string;name_message?:MessageReference;dataset_release:string;embodied_emission:number;lifetime_months:number;amortisation:"capped" | "uncapped"}
events:({type:"rented" | "refurbished" | "retired" | "lost";date?:string;customer_id?:string;order_id?:string;from?:string;to?:string;ended_by?:string;months?:number;allocated_months?:number;embodied_emission?:number;emission_added?:number;emission_default?:EmissionDefault;months_added?:number;remaining:number;remaining_months:number})[]
balance:{emission_unit:string;embodied_total:number;allocated:number;unallocated:number;remaining:number;remaining_months:number;fully_amortised:boolean}
}
export interface Entry {
entry_no:number
kind:"allocation" | "correction" | "refurbishment" | "retirement"
reason:Reason
posted_at:string
counts_from?:string
device_id?:string
serial_number?:string
customer_id?:string
order_id?:string
cause?:{event_id?:string;customer_id?:string;order_id?:string}
in_force?:{reason:Reason;event_id?:string}
corrects?:number
tenure_start_date?:string
tenure_end_date?:string
tenure_months?:number
total_emission:number
emission:{product_embodied_emission:number;product_use:number;packaging:number;transportation:number}
}
export interface Calculation {
method:string
methodology:string
formula:string
inputs:{symbol:string;name:string;value:number;unit:string;from:string;years?:number[]}[]
factors:{symbol:string;id:string;value:number;unit:string;source:Source;dataset_release:string}[]
notes:string[]
note_messages?:MessageReference[]
ledger?:{ledger_months_before:number;allocated_months:number;unallocated_tenure_months:number;remaining_before:number;remaining_after:number;fully_amortised:boolean}
}
export interface DeviceOrderEmission {
customer_id:string
order_id:string
order_date:string
tenure_start_date:string
emission_unit:string
total_emission:number
emission:Emission
}
export interface DeviceOrderEmissionsResponse {
serial_number:string
emission_unit:string
number_of_orders:number
total_emission:number
orders:DeviceOrderEmission[]
entries?:Entry[]
history?:DeviceHistory
events?:RecordedDeviceEvent[]
allocations?:LifeAllocation[]
warnings?:Problem[]
}
export interface EmissionBreakdown {
description:string
description_message?:MessageReference
emission:number
emission_unit:string
ghg_category:string
ghg_scope:string
type:TypeValue
calculation?:Calculation
uncertainty?:Uncertainty
}
export interface ListedDevice {
serial_number:string
footprint_id:string
name:string
name_message?:MessageReference
emission_unit:string
embodied_total:number
allocated:number
unallocated:number
remaining:number
total_emission:number
number_of_orders:number
decommissioned?:"retired" | "lost"
last_rental?:{customer_id:string;order_id:string;from:string;to:string}
}
export interface OrderCorrection {
event_id:string
corrected_at:string
recorded_by:RecordedBy | {import_id:number} | null
reason?:string
changes:{path:string;before?:unknown;after?:unknown}[]
}
export interface OrderResponse {
order_id:string
customer_id:string
order_date:string
tenure_start_date:string
created_at:string
status:"created"
emission_unit:string
total_emission:number
metadata?:Record<string, string>
total_emission_excluding_indicative?:number
uncertainty?:Uncertainty
items:ResponseItem[]
warnings?:Problem[]
}
export interface OrderState {
order_id:string
customer_id:string
order_date:string
tenure_start_date:string
created_at:string
status:Status
emission_unit:string
total_emission:number
metadata?:Record<string, string>
total_emission_excluding_indicative?:number
uncertainty?:Uncertainty
items:ResponseItem[]
warnings?:Problem[]
entries?:Entry[]
events?:RecordedEvent[]
corrections?:OrderCorrection[]
}
export interface OrderSummary {
order_id:string
customer_id:string
order_date:string
tenure_start_date:string
created_at:string
status:Status
emission_unit:string
total_emission:number
metadata?:Record<string, string>
number_of_devices:number
}
export interface ResponseItem {
type:"product" | "packaging" | "transportation"
device_id?:string
serial_number?:string
total_emission:number
uncertainty?:Uncertainty
emission_breakdown:Emission
}
export interface Uncertainty {
low:number
high:number
level:number
kind:"lognormal"
gsd:number
from?:{name:string;name_message:MessageReference;log_sd:number}[]
}
export interface Receipt {
media_type:"application/vnd.cradle.receipt+json;version=3"
issued:{by:"cradle";version:string;method:string;at:string;known_at?:string}
order:{received_at:string;dataset_release:string;as_received:Record<string, unknown>;corrections?:Record<string, unknown>[];normalised:Record<string, unknown>;defaults_applied:{item:number;code:string;message:string}[]}
events:Record<string, unknown>[]
match:Record<string, unknown>[]
releases:({name:string;content_hash:string;aliases:Record<string, unknown>[];models:Record<string, unknown>[];type_defaults:Record<string, unknown>[];fallbacks?:Record<string, unknown>[];it_equipment?:Record<string, unknown>;transportations:Record<string, unknown>[];distance_adjustments:Record<string, unknown>[];packagings:Record<string, unknown>[];grids:Record<string, unknown>[];sources:Sources[]})[]
devices:ReceiptDevice[]
posted_to_order:ReceiptEntry[]
items:({type:"product" | "transportation" | "packaging";device_id?:string;serial_number?:string;total_emission:string;emission_breakdown:Record<string, unknown>})[]
status:Status
emission_unit:string
total_emission:string
total_emission_excluding_indicative:string
signed_by?:SignedBy
hash:Hash
signature?:Signature
}
export interface ReceiptDevice {
device_id:string
serial_number:string
footprint_id:string
dataset_release:string
weight_kg?:string
embodied:string
lifetime_months:string
amortisation:"capped" | "uncapped"
identified_by?:string
ledger:{rentals:{rental:number;is_this_order:boolean;start:string;end:string;months:string;held_until:string;months_held:string;months_allocated:string}[];events:({type:"refurbished" | "retired" | "lost";date:string;emission?:string;months_added?:string;emission_default?:{device_type:DeviceType;low:string;high:string;dataset_release:string}})[]}
balance_before:BalanceBefore
balance_after:BalanceBefore
posted:ReceiptEntry[]
posted_total:PostedTotal
total:PostedTotal
}
export interface ReceiptEntry {
entry_no:number
reason:string
posted_at:string
event_id?:string
caused_by_rental?:number
in_force?:{reason:string;event_id?:string}
terms?:{start:string;end:string;months:string;country?:string;dataset_release:string}
emission:PostedTotal
}
export interface Verification {
outcome:"equal" | "different"
verified_at:string
lines:number
devices:number
entries:number
dataset_releases:string[]
difference?:{pointer:string;expected:string;found:string}
}
export interface AlternativeParams {
name:string
changes:OrderChanges
}
export interface EstimateParams {
customer_id:string
order_id:string
order_date:string
tenure_start_date:string
country?:string
metadata?:Record<string, string>
items?:OrderItem[]
alternatives?:AlternativeParams[]
}
export interface OrderChanges {
tenure_months?:number
transportation?:OtherTransportation
refurbished?:OtherOrigin
}
export interface OtherOrigin {
emission_kg?:number
lifetime_months_added:number
months_before?:number
}
export interface OtherTransportation {
from:string
to:string
distance_km?:number
distance_basis?:DistanceBasis
}
export interface Alternative {
name:string
emission_unit:string
total_emission:number
total_emission_excluding_indicative?:number
uncertainty?:Uncertainty
difference:{emission:number;percent:number | null}
items:ResponseItem[]
}
export interface EstimateResponse {
order_id:string
customer_id:string
order_date:string
tenure_start_date:string
created_at:string
status:"created"
emission_unit:string
total_emission:number
metadata?:Record<string, string>
total_emission_excluding_indicative?:number
uncertainty?:Uncertainty
items:ResponseItem[]
warnings?:Problem[]
alternatives?:Alternative[]
}
export interface ListedProduct {
product_id:string
state:State
mapping?:ProductMapping
footprint_id:string[]
number_of_orders:number
number_of_devices:number
posted_emission:number
emission_unit:string
product_name?:string
brand?:string
device_type?:string
candidates:MatchCandidate[]
}
export interface MappingParams {
model_id?:string
device_type?:DeviceType
}
export interface MatchCandidate {
model_id:string
name:string
score:number
reasons:string[]
reason_messages:MessageReference[]
}
export interface MatchResult {
resolved_to:string
match_method:string
type_evidence?:TypeEvidence
note?:string
note_message?:MessageReference
candidates:MatchCandidate[]
}
export interface ProductMapping {
product_id:string
model_id?:string
device_type?:DeviceType
is_in_catalogue?:boolean
mapped_at:string
}
export interface ProductMappingParams {
product_id:string
model_id?:string
device_type?:DeviceType
}
export type ProductMappings = ProductMappingParams[]
export interface ProductStateSum {
state:State
number_of_products:number
posted_emission:number
emission_unit:string
}
export interface TypeEvidence {
type:DeviceType | "none"
by:"word" | "line" | "equipment" | "maker"
words?:string
}
export interface ElectricityReport {
emission_unit:string
energy_unit:"kWh"
year:number
customer_id:string | null
dataset_release:string
grid_series:string | null
number_of_rentals:number
number_of_rentals_without_kwh:number
total:{kwh:number;location_based_emission:number;location_based_kwh_without_factor:number;market_based_emission:number;market_based_kwh_without_factor:number;losses_emission:number}
months:({month:string;country:string | null;kwh:number;state:"forecast" | "settled";location_based:{ghg_scope:"2";ghg_category:"Electricity";emission:number;factor_kg_co2e_per_kwh:number;quality:"month" | "year_same" | "year_near";year:number;series:string | null;source:Source} | null;market_based:{ghg_scope:"2";ghg_category:"Electricity";emission:number;no_residual:boolean;parts:({by:KindValue | "residual_mix" | "location_average";instrument_id?:string;kwh:number;factor_kg_co2e_per_kwh:number | null;emission:number | null;year?:number;source:Source | null})[]};losses:{ghg_scope:"3";ghg_category:"Category 3: Fuel- and energy-related activities";emission:number;share:number;year:number;source:Source} | null})[]
notes:{message:string;code:string}[]
}
export interface Impact {
customer_id:string
year:number
is_preliminary:boolean
impact:{emission_unit:string;time_frame:{from:string;to:string};allocation_methods:("capped_linear" | "uncapped")[];specificity:"solution_specific" | "average" | "generic" | null;reference:{product_embodied_emission:number;product_use:number;total_emission:number;devices:ImpactReferenceDevice[]};solution:Solution;potential?:{emission:number;interval:Interval};gross?:{emission:number;interval:Interval};net?:{emission:number;interval:Interval;displacement?:number;rebound?:number;source:string};break_even:number | null}
}
export interface ImpactReferenceDevice {
footprint_id:string
name:string
name_message?:MessageReference
dataset_release:string
why:string
why_message:MessageReference
specificity:"solution_specific" | "average" | "generic"
embodied_emission:number
lifetime_months:number
number_of_devices:number
reference:{product_embodied_emission:number;product_use:number;total_emission:number}
solution:Solution
}
export interface ScenarioChangeParams {
type:"tenure" | "transportation" | "packaging" | "model" | "electricity"
device_type?:DeviceType
months?:number
from?:string
to?:string
country?:string
factor_kg_co2e_per_kwh?:number
}
export interface ScenarioParams {
changes:ScenarioChangeParams[]
scope?:ScenarioScope
}
export interface ScenarioScope {
customer_id?:string
from?:string
to?:string
}
export interface Scenario {
emission_unit:string
scope:ScenarioScope
changes:ScenarioChangeParams[]
number_of_orders:number
number_of_orders_changed:number
number_of_orders_with_difference:number
by_year:{year:number;before:number;after:number;difference:number;interval:Interval}[]
total:{before:number;after:number;difference:number;interval:Interval}
outside_scope:{number_of_orders:number;difference:number}
not_changed:({change:number;reason:"no_devices" | "other_device_type" | "no_such_leg" | "no_such_packaging" | "no_such_model" | "not_in_release" | "wrong_distance_basis" | "tenure_too_long" | "extended_together" | "event_contradicts" | "orders_outside_scope" | "other_country" | "electricity_unknown";why:string;why_message:MessageReference;number_of_orders:number})[]
notes:string[]
note_messages:MessageReference[]
}
export interface DataSources {
customer_id:string
year:number
is_preliminary:boolean
emission_unit:string
total_emission:number
emissions:({part:Part;match_level:MatchLevel;specificity:"specific" | "non_specific";verification:"verified" | "not_stated";year:number | null;licence:string | null;sources:Source[];emission:number;share_percent:number | null})[]
by_specificity:({specificity:"specific" | "non_specific";emission:number;share_percent:number | null})[]
by_verification:({verification:"verified" | "not_stated";emission:number;share_percent:number | null})[]
by_year:({year:number | null;emission:number;share_percent:number | null})[]
by_licence:({licence:string | null;emission:number;share_percent:number | null})[]
}
export interface Inventories {
year:number
emission_unit:string
posted:Solution
cases:InventoryCase[]
dataset_releases:string[]
method_version:string
generated_at:string
}
export interface Inventory {
total_emission:number
uncertainty:Uncertainty | null
lines:({part:Part;ghg_scope:string;ghg_category:string;counting:"posted" | "whole";reason:string;reason_message:MessageReference;total_emission:number;uncertainty:Uncertainty | null})[]
}
export interface InventoryCase {
consolidation_approach:"operational" | "financial"
lease_type:"operating" | "finance"
lessees:Inventory
lessor:Inventory
counted_once:{lessees:number;lessor:number;total_emission:number}
}
export interface ImportColumn {
header:string
member:string | null
}
export interface ImportError {
row:number
column:string | null
value:string | null
reason:string
code?:string
params?:Record<string, MessageValue>
suggestion:string | null
suggestions?:string[]
}
export interface ImportErrorGroup {
column:string | null
reason:string
code?:string
params?:Record<string, MessageValue>
errors:number
rows:number[]
values:({value:string | null;suggestion:string | null;suggestions?:string[];errors:number})[]
}
export interface ImportErrorGroups {
rows:number
is_complete:boolean
groups:ImportErrorGroup[]
}
export interface ImportResponse {
import_id:number
kind:Kind
state:"queued" | "running" | "succeeded" | "failed" | "reversing" | "reversed"
is_dry_run:boolean
file_name:string | null
file_bytes:number
file_sha256:string
settings:ImportSetting[]
columns:ImportColumn[]
profile:string | null
suggested_profiles:string[]
rows_read:number
orders_stored:number
orders_replayed:number
orders_rejected:number
rows_rejected:number
rows_rejected_stored:number
ignored:string[]
number_of_warnings:number
warnings:ImportWarningGroup[]
progress:number
orders_per_second:number | null
emission_unit:string
total_emission:number
orders_reversed:number
orders_kept:number
problem:string | null
problem_message:MessageReference | null
created_at:string
started_at:string | null
finished_at:string | null
}
export interface ImportSetting {
setting:string
value:string
because:string
code?:string
params?:Record<string, MessageValue>
}
export interface ImportWarningGroup {
column:string | null
reason:string
code:string
params?:Record<string, MessageValue>
warnings:number
rows:number[]
}
export interface ImportProfile {
name:string
header:string[]
settings:ImportSettings
saved_at:string
}
export interface ImportProfileParams {
import_id?:number
header?:string[]
settings?:ImportSettings
}
export interface ImportSettings {
layout?:"items" | Kind
encoding?:Encoding
delimiter?:"comma" | "semicolon" | "tab" | "pipe"
decimal?:"point" | "comma"
dates?:Dates
sheet?:string
columns?:Record<string, string>
values?:Record<string, Record<string, string>>
header_row?:number
constants?:Record<string, string>
register?:{customer_id?:string;starts_on?:string;tenure_months?:number;weight_kg?:number;country?:string}
}
export interface Restatement {
restatement_id:number
state:"previewing" | "previewed" | "applying" | "applied" | "outdated" | "failed"
scope:Scope
figures:Figures
reason:string
created_at:string
finished_at:string | null
key:string
orders_done:number
orders_total:number
orders_refused:number
interruptions:number
last_error:{code:"invalid_request" | "unauthorized" | "foreign_origin" | "missing_scope" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "precondition_failed" | "too_large" | "unsupported_media_type" | "expectation_failed" | "too_many_requests" | "too_many_imports" | "too_many_wrong_keys" | "headers_too_large" | "internal" | "unavailable" | "storage_full" | "read_only";message:string;at:string} | null
emission_unit:string
preview:{digest:string;counts_from:string | null;number_of_orders:number;number_of_devices:number;number_of_customers:number;number_of_problems:number;number_of_superseded_statements:number;before:number;difference:number;bridge:Bridge;years:{year:number;difference:number;bridge:Bridge}[];largest_changes?:{customer_id:string;order_id:string;before:number;difference:number;bridge:Bridge}[]} | null
}
export interface RestatementApplication {
digest:string
}
export interface RestatementChanges {
emission_unit:string
orders?:{customer_id:string;order_id:string;before:number;difference:number;bridge:Bridge}[]
years?:{customer_id:string;year:number;supersedes_final_statement:boolean;difference:number;bridge:Bridge}[]
problems?:Problems[]
refused?:Problems[]
}
export interface RestatementList {
restatements:Restatement[]
}
export interface RestatementParams {
scope:Scope
figures:Figures
reason:string
}
export interface Account {
name:string
amortisation:"capped" | "uncapped"
strictness:"warn" | "refuse"
days_ahead_max:number | null
restatement_threshold_percent:number
dataset_release:string
grid_series:string
mappings_version:number
created_at:string
is_demo:boolean
has_demo_fleet:boolean
}
export interface AccountParams {
amortisation:"capped" | "uncapped"
strictness?:"warn" | "refuse"
days_ahead_max?:number | null
restatement_threshold_percent?:number
dataset_release?:string
grid_series?:string
}
export interface ApiKey {
key_id:number
label:string
hint:string
scopes:Scopes[]
created_at:string
expires_at:string | null
last_used_at:string | null
revoked_at:string | null
is_own:boolean
}
export interface DemoFleet {
account:string
progress:number
loaded_at:string | null
orders:number
devices:number
events:number
}
export interface KeyParams {
label:string
scopes:Scopes[]
expires_at?:string
}
export interface LoadedDemoFleet {
key:string
key_expires_at:string
account:string
progress:number
loaded_at:string | null
orders:number
devices:number
events:number
}
export interface NewApiKey {
key:string
key_id:number
label:string
hint:string
scopes:Scopes[]
created_at:string
expires_at:string | null
last_used_at:string | null
revoked_at:string | null
is_own:boolean
}
export interface RemovedDemoFleet {
account:string
rows:number
}
export interface GridLossParams {
share:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
reason?:string
}
export interface GridMonthParams {
factor_kg_co2e_per_kwh:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
reason?:string
}
export interface InstrumentParams {
customer_id:string
country:string
kind:KindValue
from:string
to:string
kwh?:number
share?:number
factor_kg_co2e_per_kwh:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnDeviceModelParams {
name:string
brand:string
type:DeviceType
aliases?:string[]
total_kg_co2e?:number
production_kg_co2e?:number
transportation_kg_co2e?:number
use_kg_co2e?:number
use_share?:number
end_of_life_kg_co2e?:number
lifetime_months?:number
weight_kg?:number
screen_inches?:number
yearly_energy_kwh?:number
use_region?:"world" | "EU" | "US" | "North America" | "Asia"
uncertainty_ratio?:number
year?:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnGridFactorParams {
factor_kg_co2e_per_kwh:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnLifetimeParams {
lifetime_months:number
year?:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnPackagingParams {
name:string
material:string
recycled_content_percent?:number
factor_kg_co2e_per_kg:number
year?:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnTransportationParams {
name:string
mode:Mode
vehicle?:string
factor_kg_co2e_per_tonne_km:number
ttw_kg_co2e_per_tonne_km?:number
distance_basis:DistanceBasis
region?:string
year?:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface ResidualMixParams {
factor_kg_co2e_per_kwh:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
reason?:string
}
export interface OwnDeviceModel {
id:string
version:number
origin:"account"
created_at:string
name:string
brand:string
type:DeviceType
aliases?:string[]
total_kg_co2e?:number
production_kg_co2e?:number
transportation_kg_co2e?:number
use_kg_co2e?:number
use_share?:number
end_of_life_kg_co2e?:number
lifetime_months?:number
weight_kg?:number
screen_inches?:number
yearly_energy_kwh?:number
use_region?:"world" | "EU" | "US" | "North America" | "Asia"
uncertainty_ratio?:number
year?:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnGridFactor {
id:string
version:number
origin:"account"
created_at:string
factor_kg_co2e_per_kwh:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnGridLossShare {
id:string
version:number
origin:"account"
created_at:string
share:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
reason?:string
}
export interface OwnGridMonth {
id:string
version:number
origin:"account"
created_at:string
factor_kg_co2e_per_kwh:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
reason?:string
}
export interface OwnInstrument {
id:string
version:number
origin:"account"
created_at:string
customer_id:string
country:string
kind:KindValue
from:string
to:string
kwh?:number
share?:number
factor_kg_co2e_per_kwh:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnLifetime {
id:string
version:number
origin:"account"
created_at:string
lifetime_months:number
year?:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnPackaging {
id:string
version:number
origin:"account"
created_at:string
name:string
material:string
recycled_content_percent?:number
factor_kg_co2e_per_kg:number
year?:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface OwnResidualMixFactor {
id:string
version:number
origin:"account"
created_at:string
factor_kg_co2e_per_kwh:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
reason?:string
}
export interface OwnTransportation {
id:string
version:number
origin:"account"
created_at:string
name:string
mode:Mode
vehicle?:string
factor_kg_co2e_per_tonne_km:number
ttw_kg_co2e_per_tonne_km?:number
distance_basis:DistanceBasis
region?:string
year?:number
source_title:string
source_publisher:string
source_url?:string
licence?:string
document_sha256?:string
verified_by?:string
note?:string
}
export interface StoredFigures {
number_of_figures:number
number_of_changes:number
}
export interface NewPactClient {
client_secret:string
client_id:string
customer_id:string
label:string
events_url:string | null
created_at:string
revoked_at:string | null
}
export interface PactClient {
client_id:string
customer_id:string
label:string
events_url:string | null
created_at:string
revoked_at:string | null
}
export interface PactClientParams {
customer_id:string
label:string
events?:{url:string;client_id:string;client_secret:string}
}
export interface DevicePassport {
"@context":Record<string, unknown>[]
"@type":string[]
DigitalProductPassportId:string
UniqueProductIdentifier:string
Granularity:"Item"
DppSchemaVersion:"cradle-1"
DppStatus:"active" | "inactive"
LastUpdated:string
EconomicOperatorId:string
issuer:{account:string;role:"lessor"}
serial_number:string
model:{id:string;name:string;brand:string | null;type:string;match_level:MatchLevel;dataset_release:string}
embodied:{value:string;unit:string;interval:{low:string;high:string;level:string};type:TypeValue;source:Source}
electricity:{kwh_per_year:string | null;stated_by:string | null;emission_over_lifetime:string | null;unit:string}
lives:({customer:string;order:string;from:string;to:string;ended_by?:string;country:string | null;months:string;embodied_emission:string;use_emission:string;unit:string;method:string})[]
refurbishments:({date:string;emission_added:string;unit:string;months_added:string;emission_default?:{device_type:DeviceType;low:string;high:string;dataset_release:string}})[]
left?:{date:string;reason:"retired" | "lost"}
balance:{embodied_total:string;allocated:string;remaining:string;unallocated:string;unit:string;lifetime_months:string;remaining_months:string;fully_amortised:boolean}
events:EpcisDocument
notes:string[]
signed_by:SignedBy
hash:Hash
signature:Signature
}
export interface EpcisDocument {
"@context":string[]
type:"EPCISDocument"
schemaVersion:"2.0"
creationDate:string
epcisBody:{eventList:Record<string, unknown>[]}
}
export interface ClosingPreview {
is_preview:true
kind:"closed" | "reopened" | "unchanged"
books_closed_until:string | null
closed_until:string | null
emission_unit:string
total_emission:number
number_of_customer_years:number
customer_years:{customer_id:string;year:number;total_emission:number;is_complete:boolean}[]
overdue_rentals:{customer_id:string;order_id:string;serial_number:string;agreed_end:string}[] | null
has_more_overdue_rentals:boolean | null
}
export interface CorrectedYears {
emission_unit:string
restatement_threshold_percent:number
number_of_corrected_years:number
number_of_proposed_restatements:number
corrected_years:({customer_id:string;year:number;statement_emission:number;corrections_emission:number;corrected_emission:number;corrections_percent:number | null;proposes_restatement:boolean})[]
}
export interface PeriodParams {
closed_until:string | null
reason?:string
}
export interface Periods {
books_closed_until:string | null
closings:Closings[]
}
export interface Erasure {
customer_id:string | null
is_preview:boolean
recorded_at:string | null
counts:{orders:number;entries:number;events:number;order_ids:number;serial_numbers:number;orders_with_metadata:number;texts:number;rejected_rows:number}
notes:{message:string;code:string}[]
}
export interface ErasureParams {
serial_numbers?:boolean
order_ids?:boolean
}
export interface JwkSet {
keys:{kty:"OKP";crv:"Ed25519";x:string;kid:string;use:"sig";alg:"EdDSA"}[]
}
export interface OrderProof {
customer_id:string
year:number
known_at:string
order_id:string
is_included:boolean
algorithm:"rfc6962-sha256"
root:string
tree_size:number
leaves:{order_id:string;revision?:number;digest:string;index:number;path:string[]}[]
}
export interface Statement {
media_type:"application/vnd.cradle.statement+json;version=4"
issued:{by:"cradle";version:string;method:string;at:string;known_at:string;books_closed_until?:string | null}
issuer:{account:string}
customer_id:string
year:number
is_preliminary:boolean
inventory_boundary:{reporting_entity:"lessee";consolidation_approach:"operational" | "financial";lease_type:"operating"}
emission_unit:string
summary:{total_emission:string;total_emission_excluding_indicative:string;uncertainty:{low:string;high:string;level:string;gsd:string};opening_emission:string;closing_emission:string;posted_later_emission:string;corrections_emission:string;number_of_orders:number;number_of_devices:number;devices_held_at_opening:number;devices_held_at_closing:number;primary_data_share:string | null;data_quality_rating:string | null}
corrections_of_earlier_years?:{emission:string;emission_of_the_year:string;years:({year:number;emission:string;causes:({event_id:string | null;order_id:string | null;recorded_at:string;reasons:string[];order_ids:string[];emission:string})[]})[]}
by_category:({ghg_scope:string;ghg_category:string;parts:Part[];emission:string;share_percent:string | null})[]
by_part:({part:Part;ghg_scope:string;ghg_category:string;reason:string;emission:string;share_percent:string | null})[]
by_type:ByType[]
by_match_level:ByType[]
by_data_quality:ByType[]
by_month:{month:string;product_embodied_emission:string;product_use:string;packaging:string;transportation:string;total_emission:string}[]
devices:StatementDevice[]
orders:{order_id:string;revision?:number;order_date:string;dispatch_date:string;received_at:string;number_of_devices:number;content_hash:string;lines:{calculation_basis:number;emission:string}[];entries:StatementEntry[]}[]
calculation_bases:({no:number;part:Part;method:string;type:TypeValue;match_level:MatchLevel;is_primary:boolean;data_quality:{technological:number;temporal:number;geographical:number};errors:{factor:string;name:string;log_sd:string}[];factors:number[];emission:string})[]
factors:{no:number;symbol:string;id:string;value:string;unit:string;dataset_release:string;source:number}[]
sources:Sources[]
releases:{name:string;content_hash:string}[]
basis:string[]
exclusions:string[]
notes:string[]
completeness:{algorithm:"rfc6962-sha256";of:string;orders:{order_id:string;revision?:number;digest:string}[];root:string}
signed_by:SignedBy
hash:Hash
signature:Signature
}
export interface StatementAmounts {
product_embodied_emission:string
product_use:string
packaging:string
transportation:string
total_emission:string
}
export interface StatementDevice {
device_id:string
serial_number:string
model:{name:string;brand:string | null;type:string;id:string;match_level:MatchLevel;dataset_release:string}
is_held_at_opening:boolean
is_held_at_closing:boolean
opening:StatementAmounts
year:StatementAmounts
closing:StatementAmounts
posted_later:StatementAmounts
rentals:{order_id:string;revision?:number;from:string;until:string;embodied_basis:number;shares:{calculation_basis:number;emission:string}[];entries:StatementEntry[]}[]
}
export interface StatementEntry {
posted_at:string
counts_from?:string | null
reason:string
event_id?:string | null
recorded_by?:RecordedBy | {import_id:number} | null
caused_by?:string | null
months:string | null
from?:string
use_basis:number | null
product_embodied_emission:string
product_use:string
packaging:string
transportation:string
total_emission:string
}
export interface StatementKey {
algorithm:"ed25519"
public_key:string
fingerprint:string
created_at:string
}
export type EmissionGroup = {month?:string | null;quarter?:string | null;year?:string | null;customer?:string | null;model?:string | null;type?:string | null;brand?:string | null;country?:string | null;part?:string | null;scope?:string | null;category?:string | null;estimate_type?:string | null;model_name?:string | null;scope_name?:string | null;total_emission:number;number_of_orders?:number;number_of_rentals?:number;device_months?:number;uncertainty:Uncertainty | null} & Record<string, string | null>
export interface EmissionsReport {
reporting_entity:"lessee" | "lessor"
consolidation_approach:"operational" | "financial"
lease_type:"operating" | "finance"
date_basis:"order" | "tenure" | "dispatch"
from:string | null
to:string | null
group_by:string[]
sort:"name" | "-total_emission"
limit:number
filters:Record<string, string[]>
emission_unit:string
total_emission:number
number_of_orders:number
number_of_rentals:number
device_months?:number
uncertainty:Uncertainty | null
groups:EmissionGroup[]
remainder:RemainderGroups | null
labels:({part:Part;ghg_scope:string;ghg_category:string;reason:string;reason_message:MessageReference})[]
excluded:string[]
excluded_messages:MessageReference[]
dataset_releases:string[]
method_version:string
generated_at:string
}
export interface ProductToImprove {
product_id:string
match_method:string
footprint_id:string[]
total_emission:number
low:number
high:number
width:number
use_without_country:number
improvements:("map_product_id" | "confirm_model" | "state_country")[]
}
export interface QualityAge {
age_years:"0-2" | "3-5" | "6-9" | "10-14" | "15+" | "unknown"
total_emission:number
share_percent:number
}
export interface QualityCountry {
country:"given" | "missing"
use_emission:number
share_percent:number
}
export interface QualityLevel {
level:"model" | "family" | "brand-fit" | "brand" | "type-fit" | "type" | "weight-fit" | "weight" | "packaging" | "transportation"
type:TypeValue
total_emission:number
share_percent:number
}
export interface QualityReport {
emission_unit:string
total_emission:number
by_level:QualityLevel[]
by_source_age:QualityAge[]
by_country:QualityCountry[]
to_improve:ProductToImprove[]
filters:Record<string, string[]>
dataset_releases:string[]
method_version:string
generated_at:string
}
export interface RemainderGroups {
number_of_groups:number
total_emission:number
number_of_orders?:number
number_of_rentals?:number
device_months?:number
uncertainty:Uncertainty | null
}
export interface BadRequest {
error:string
code:string
reason:MessageReference
details:Problem[]
request_id:string
}
export interface ErrorResponse {
code:"unauthorized"
detail:string
reason:MessageReference
request_id:string
}
export interface Failure {
error:string
code:string
reason:MessageReference
request_id:string
}
export interface MessageReference {
code:string
params?:Record<string, MessageValue>
}
export type MessageValue = string | number | (string | {message:string;code:string;params?:Record<string, MessageValue>})[] | {message:string;code:string;params?:Record<string, MessageValue>}
export interface Packaging {
packaging_id:string
name:string
material:string
recycled_content_percent?:number
emission_factor:number
emission_factor_unit:"kgCO2e/kg"
end_of_life_included:false
is_proxy?:true
ghg_category:string
ghg_scope:string
origin:"account" | "catalogue"
version?:number
source:Source
}
export interface PackagingList {
packagings:Packaging[]
}
export interface Problem {
path:string
message:string
code:string
params?:Record<string, MessageValue>
suggestions?:string[]
}
export interface Source {
title:string
publisher:string
year:number | null
url:string
licence:string
origin?:"account"
version?:number
document_sha256?:string
verified_by?:string
}
export interface Transportation {
transportation_id:string
name:string
transportation_mode:Mode
vehicle:string
emission_factor:number
emission_factor_unit:"kgCO2e/t.km"
boundary:"WTW"
emission_factor_ttw:number
distance_basis:DistanceBasis
region:string
ghg_category:string
ghg_scope:string
origin:"account" | "catalogue"
version?:number
source:Source
}
export interface TransportationList {
packagings:Transportation[]
}
export interface DatasetReleases {
method_version:string
dataset_releases:({id:string;created_at:string;installed_at:string | null;parent:string | null;content_sha256:string;is_newest:boolean;number_of_figures:Record<string, number>})[]
grid_series:({id:string;name:string;is_default:boolean;electricity:"generation" | "consumption";upstream:boolean;losses:boolean;method_version:string;published_on:string;years:number[];number_of_countries:number;source:Source})[]
}
export interface ReleaseChanges {
from:string
to:string
number_of_changes:Record<string, {added:number;removed:number;changed:number}>
other_files:string[]
changes:Changes[]
}
export interface DeviceModel {
id:string
name:string
brand:string
type:DeviceType
product_footprint:number
product_footprint_unit:string
footprint_breakdown:{cradle_to_gate?:number;end_of_life_processing?:number;product_use?:number;production?:number;transportation?:number}
origin:"account" | "catalogue"
version?:number
uncertainty?:Uncertainty
lifetime_months?:number
weight_kg?:number
yearly_energy_kwh?:number
source?:Source
}
export interface Health {
status:"live" | "ready"
}
export type Id = string | number
/** One value or several. */
export type Many<Value> = Value | Value[]
export type NoInput = Record<string, never>
export interface Operations {
/** Create an order and estimate its emissions. */
createOrder: Method<{include?:Many<"calculation" | "metadata">;body:OrderParams}, OrderResponse>
/** List orders. */
listOrders: OptionalList<{search?:string;customer_id?:string;order_id?:string;serial_number?:string;status?:Many<Status>;from?:string;to?:string;include?:Many<"metadata">;sort?:"order_id" | "-order_id" | "order_date" | "-order_date" | "total_emission" | "-total_emission";limit?:number;cursor?:string}, OrderSummary>
/** Create many orders. */
createOrders: Method<{body:OrderBatchParams}, OrderBatchResponse>
/** Record many events. */
createEvents: Method<{body:EventBatchParams}, EventBatchResponse>
/** Get an order. */
getOrder: Method<{customer_id:Id;order_id:Id;include?:Many<"calculation" | "metadata" | "entries" | "events">;known_at?:string}, OrderState>
/** Correct the content of an order. */
correctOrder: Variants<{customer_id:Id;order_id:Id;reason?:string;preview?:boolean;if_match:string;body:OrderParams}, {preview?:false}, OrderState, {preview:true}, EventPreview>
/** Get the receipt of an order. */
getReceipt: Method<{customer_id:Id;order_id:Id;known_at?:string;signed?:boolean}, Receipt>
/** Verify an order by recomputing it. */
verifyOrder: Method<{customer_id:Id;order_id:Id;known_at?:string}, Verification>
/** Read the events of the account. */
listEvents: OptionalMethod<{after?:string;limit?:number}, FeedPage>
/** List webhooks. */
listWebhooks: OptionalMethod<NoInput, Webhook[]>
/** Create a webhook. */
createWebhook: Method<{body:WebhookParams}, WebhookWithSecret>
/** Get a webhook. */
getWebhook: Method<{webhook_id:Id}, Webhook>
/** Change a webhook. */
changeWebhook: Method<{webhook_id:Id;body:WebhookChanges}, Webhook>
/** Delete a webhook. */
deleteWebhook: Method<{webhook_id:Id}, Webhook>
/** Exchange the secret of a webhook. */
rotateWebhookSecret: Method<{webhook_id:Id}, WebhookWithSecret>
/** Send a test to a webhook. */
testWebhook: Method<{webhook_id:Id}, WebhookDelivery>
/** List deliveries of a webhook. */
listWebhookDeliveries: List<{webhook_id:Id;limit?:number;cursor?:string}, WebhookDelivery>
/** Send a delivery again. */
replayWebhookDelivery: Method<{webhook_id:Id;delivery_id:Id}, WebhookDelivery>
/** Record an event of an order. */
createOrderEvent: Variants<{customer_id:Id;order_id:Id;preview?:boolean;body:OrderEventParams}, {preview?:false}, OrderState, {preview:true}, EventPreview>
/** Record an event of a device. */
createDeviceEvent: Variants<{serial:Id;preview?:boolean;body:DeviceEventParams}, {preview?:false}, DeviceOrderEmissionsResponse, {preview:true}, EventPreview>
/** List devices. */
listDevices: OptionalList<{serial_prefix?:string;customer_id?:string;footprint_id?:string;sort?:"serial_number" | "total_emission" | "-total_emission";limit?:number;cursor?:string}, ListedDevice>
/** Get the emissions of a device. */
getDeviceEmissions: Method<{id:Id;include?:Many<"entries" | "history" | "events">;allocation?:"all";resale_values?:Many<number>;known_at?:string}, DeviceOrderEmissionsResponse>
/** Get the passport of a device. */
getDevicePassport: Method<{serial:Id}, DevicePassport>
/** Export the events of a device as EPCIS 2.0. */
getDeviceEpcis: Method<{serial:Id}, EpcisDocument>
/** Estimate an order and its alternatives. */
createEstimate: Method<{include?:Many<"calculation" | "metadata">;body:EstimateParams}, EstimateResponse>
/** List guessed product ids. */
listProducts: OptionalList<{state?:Many<State>;limit?:number;cursor?:string}, ListedProduct>
/** Map many product ids. */
putProductMappings: Method<{body:ProductMappings}, ProductMapping[]>
/** Sum product emissions by state. */
sumProducts: OptionalMethod<NoInput, ProductStateSum[]>
/** Map a product id. */
putProductMapping: Method<{product_id:Id;body:MappingParams}, ProductMapping>
/** Get a product mapping. */
getProductMapping: Method<{product_id:Id}, ProductMapping>
/** Remove a product mapping. */
deleteProductMapping: Method<{product_id:Id}, ProductMapping>
/** Match the words of a product. */
matchProduct: OptionalMethod<{product_name?:string;brand?:string;device_type?:DeviceType;product_id?:string;weight_kg?:number}, MatchResult>
/** Import a file of orders or events. */
createImport: Method<{kind?:Kind;dry_run?:boolean;file_name?:string;profile?:string;format?:"csv" | "xlsx" | "jsonl";layout?:"items" | Kind;encoding?:Encoding;delimiter?:"comma" | "semicolon" | "tab" | "pipe";decimal?:"point" | "comma";dates?:Dates;sheet?:string;columns?:string;header_row?:number;constants?:string;values?:string;register?:string;body:Upload}, ImportResponse>
/** List imports. */
listImports: OptionalList<{limit?:number;cursor?:string}, ImportResponse>
/** Get an import. */
getImport: Method<{import_id:Id}, ImportResponse>
/** Reverse an import. */
undoImport: Method<{import_id:Id}, ImportResponse>
/** List import errors. */
listImportErrors: List<{import_id:Id;limit?:number;cursor?:string}, ImportError>
/** List import errors grouped by kind. */
groupImportErrors: Method<{import_id:Id}, ImportErrorGroups>
/** Download the rejected rows. */
getRejectedRows: Method<{import_id:Id}, Response>
/** Get an import template. */
getImportTemplate: Method<{layout:Id}, Response>
/** List import profiles. */
listImportProfiles: OptionalMethod<NoInput, ImportProfile[]>
/** Get an import profile. */
getImportProfile: Method<{name:Id}, ImportProfile>
/** Keep the settings of a file. */
putImportProfile: Method<{name:Id;body:ImportProfileParams}, ImportProfile>
/** Delete an import profile. */
deleteImportProfile: Method<{name:Id}, ImportProfile>
/** Get the yearly statement of a customer. */
getStatement: Variants<{customer_id:Id;year:Id;consolidation_approach?:"operational" | "financial";format?:"json" | "xlsx" | "pdf";lang?:"en" | "de";known_at?:string}, {format?:'json'}, Statement, {format:'xlsx' | 'pdf'}, Response>
/** Prove that an order is in a statement, or is not. */
getOrderProof: Method<{customer_id:Id;year:Id;order_id:Id;known_at?:string}, OrderProof>
/** Compare the devices of a customer with new ones. */
getImpact: Method<{customer_id:Id;year:Id;displacement?:number;displacement_source?:string;rebound?:number;rebound_source?:string;known_at?:string}, Impact>
/** Get what data the emissions of a customer were computed from. */
getDataSources: Method<{customer_id:Id;year:Id;known_at?:string}, DataSources>
/** Get the public key for statements and receipts. */
getStatementKey: OptionalMethod<NoInput, StatementKey>
/** Get the public keys for statements and receipts as a JWK set. */
getStatementKeySet: OptionalMethod<NoInput, JwkSet>
/** Export orders with their items. */
exportOrders: OptionalVariants<{customer_id?:string;status?:Many<Status>;from?:string;to?:string;format?:Format}, {format?:'csv' | 'xlsx'}, Response, {format:'json'}, {about:About;rows:Record<string, unknown>[]}>
/** Export events. */
exportEvents: OptionalVariants<{customer_id?:string;from?:string;to?:string;format?:Format}, {format?:'csv' | 'xlsx'}, Response, {format:'json'}, {about:About;rows:Record<string, unknown>[]}>
/** Export devices with their balances. */
exportDevices: OptionalVariants<{customer_id?:string;from?:string;to?:string;format?:Format}, {format?:'csv' | 'xlsx'}, Response, {format:'json'}, {about:About;rows:Record<string, unknown>[]}>
/** Export ledger entries. */
exportEntries: OptionalVariants<{customer_id?:string;from?:string;to?:string;format?:Format}, {format?:'csv' | 'xlsx'}, Response, {format:'json'}, {about:About;rows:Record<string, unknown>[]}>
/** List API keys. */
listKeys: OptionalList<{limit?:number;cursor?:string;active?:boolean}, ApiKey>
/** Create an API key. */
createKey: Method<{body:KeyParams}, NewApiKey>
/** Revoke an API key. */
revokeKey: Method<{key_id:Id;allow_last_admin?:boolean}, ApiKey>
/** Get the account. */
getAccount: OptionalMethod<NoInput, Account>
/** Change the settings of the account. */
putAccount: Method<{body:AccountParams}, Account>
/** Get the closed periods. */
getPeriods: OptionalList<{limit?:number;cursor?:string}, Closings, Periods>
/** Close or reopen the books. */
closePeriods: Variants<{preview?:boolean;body:PeriodParams}, {preview?:false}, Periods, {preview:true}, ClosingPreview>
/** List closed years that were corrected. */
listCorrectedYears: OptionalMethod<{year?:number;customer_id?:string;limit?:number}, CorrectedYears>
/** List restatements. */
listRestatements: OptionalList<{limit?:number;cursor?:string}, Restatement, RestatementList>
/** Preview a restatement. */
createRestatement: Method<{body:RestatementParams}, Restatement>
/** Get a restatement. */
getRestatement: Method<{restatement_id:Id}, Restatement>
/** Delete a preview. */
deleteRestatement: Method<{restatement_id:Id}, Restatement>
/** List what a restatement changes. */
listRestatementChanges: List<{restatement_id:Id;of?:"orders" | "years" | "problems" | "refused";limit?:number;cursor?:string}, {customer_id:string;order_id:string;before:number;difference:number;bridge:Bridge} | {customer_id:string;year:number;supersedes_final_statement:boolean;difference:number;bridge:Bridge} | Problems, RestatementChanges>
/** Apply a restatement. */
applyRestatement: Method<{restatement_id:Id;body:RestatementApplication}, Restatement>
/** Erase the names of a customer. */
pseudonymiseCustomer: Method<{customer_id:Id;preview?:boolean;body:ErasureParams}, Erasure>
/** List the OAuth clients of customers. */
listPactClients: OptionalMethod<NoInput, PactClient[]>
/** Create an OAuth client for a customer. */
createPactClient: Method<{body:PactClientParams}, NewPactClient>
/** Revoke an OAuth client. */
revokePactClient: Method<{client_id:Id}, PactClient>
/** Get the demo fleet. */
getDemoFleet: OptionalMethod<NoInput, DemoFleet>
/** Load the demo fleet. */
loadDemoFleet: OptionalMethod<NoInput, LoadedDemoFleet>
/** Remove the demo fleet. */
removeDemoFleet: OptionalMethod<NoInput, RemovedDemoFleet>
/** Report emissions of all orders by group. */
reportEmissions: OptionalVariants<{group_by?:Many<string>;month?:Many<string>;quarter?:Many<string>;year?:Many<string>;customer?:Many<string>;model?:Many<string>;type?:Many<DeviceType | "">;brand?:Many<string>;country?:Many<string>;part?:Many<Part>;scope?:Many<"2" | "3">;category?:Many<"Electricity" | "Category 1: Purchased goods and services" | "Category 2: Capital goods" | "Category 4: Upstream transportation and distribution" | "Category 8: Upstream leased assets" | "Category 13: Downstream leased assets">;estimate_type?:Many<TypeValue>;[member: `metadata.${string}`]:Many<string>;date_basis?:"order" | "tenure" | "dispatch";from?:string;to?:string;reporting_entity?:"lessee" | "lessor";consolidation_approach?:"operational" | "financial";lease_type?:"operating" | "finance";sort?:"name" | "-total_emission";limit?:number;format?:Format}, {format?:'json'}, EmissionsReport, {format:'csv' | 'xlsx'}, Response>
/** Report data quality and possible improvements. */
reportQuality: OptionalVariants<{customer_id?:string;from?:string;to?:string;limit?:number;format?:Format}, {format?:'json'}, QualityReport, {format:'csv' | 'xlsx'}, Response>
/** Report the inventories of customers and rental company. */
reportInventories: OptionalMethod<{year?:number}, Inventories>
/** Report the electricity of rented devices by month. */
reportElectricity: OptionalMethod<{year?:number;customer_id?:string}, ElectricityReport>
/** Compute a scenario. */
computeScenario: Method<{body:ScenarioParams}, Scenario>
/** List device models. */
listDeviceModels: OptionalList<{type?:Many<DeviceType>;brand?:Many<string>;q?:string;limit?:number;cursor?:string;sort?:"product_footprint" | "-product_footprint";include?:Many<"evidence">}, DeviceModel>
/** Get a device model. */
getDeviceModel: Method<{id:Id;include?:Many<"evidence">}, DeviceModel>
/** List transportations. */
listTransportations: OptionalMethod<NoInput, TransportationList>
/** Store own factors of freight from a CSV file. */
importOwnTransportations: Method<{new_versions?:boolean;body:Upload}, StoredFigures>
/** List packagings. */
listPackagings: OptionalMethod<NoInput, PackagingList>
/** Store own packagings from a CSV file. */
importOwnPackagings: Method<{new_versions?:boolean;body:Upload}, StoredFigures>
/** List own device models. */
listOwnDeviceModels: OptionalMethod<NoInput, OwnDeviceModel[]>
/** Store own device models from a CSV file. */
importOwnDeviceModels: Method<{new_versions?:boolean;body:Upload}, StoredFigures>
/** Get an own device model. */
getOwnDeviceModel: Method<{id:Id}, OwnDeviceModel>
/** Store an own device model. */
putOwnDeviceModel: Method<{id:Id;if_match?:string;body:OwnDeviceModelParams}, OwnDeviceModel>
/** Withdraw an own device model. */
deleteOwnDeviceModel: Method<{id:Id;if_match?:string}, OwnDeviceModel>
/** List own factors of freight. */
listOwnTransportations: OptionalMethod<NoInput, OwnTransportation[]>
/** Get an own factor of freight. */
getOwnTransportation: Method<{id:Id}, OwnTransportation>
/** Store an own factor of freight. */
putOwnTransportation: Method<{id:Id;if_match?:string;body:OwnTransportationParams}, OwnTransportation>
/** Withdraw an own factor of freight. */
deleteOwnTransportation: Method<{id:Id;if_match?:string}, OwnTransportation>
/** List own packagings. */
listOwnPackagings: OptionalMethod<NoInput, OwnPackaging[]>
/** Get an own packaging. */
getOwnPackaging: Method<{id:Id}, OwnPackaging>
/** Store an own packaging. */
putOwnPackaging: Method<{id:Id;if_match?:string;body:OwnPackagingParams}, OwnPackaging>
/** Withdraw an own packaging. */
deleteOwnPackaging: Method<{id:Id;if_match?:string}, OwnPackaging>
/** List own lifetimes. */
listOwnLifetimes: OptionalMethod<NoInput, OwnLifetime[]>
/** Store own lifetimes from a CSV file. */
importOwnLifetimes: Method<{new_versions?:boolean;body:Upload}, StoredFigures>
/** Get an own lifetime. */
getOwnLifetime: Method<{id:Id}, OwnLifetime>
/** Store an own lifetime. */
putOwnLifetime: Method<{id:Id;if_match?:string;body:OwnLifetimeParams}, OwnLifetime>
/** Withdraw an own lifetime. */
deleteOwnLifetime: Method<{id:Id;if_match?:string}, OwnLifetime>
/** List own grid factors. */
listOwnGridFactors: OptionalMethod<NoInput, OwnGridFactor[]>
/** Store own grid factors from a CSV file. */
importOwnGridFactors: Method<{new_versions?:boolean;body:Upload}, StoredFigures>
/** Get an own grid factor. */
getOwnGridFactor: Method<{id:Id}, OwnGridFactor>
/** Store an own grid factor. */
putOwnGridFactor: Method<{id:Id;if_match?:string;body:OwnGridFactorParams}, OwnGridFactor>
/** Withdraw an own grid factor. */
deleteOwnGridFactor: Method<{id:Id;if_match?:string}, OwnGridFactor>
/** List own grid factors of months. */
listOwnGridMonths: OptionalMethod<NoInput, OwnGridMonth[]>
/** Store own grid factors of months from a CSV file. */
importOwnGridMonths: Method<{new_versions?:boolean;reason?:string;body:Upload}, StoredFigures>
/** Get an own grid factor of a month. */
getOwnGridMonth: Method<{id:Id}, OwnGridMonth>
/** Store an own grid factor of a month. */
putOwnGridMonth: Method<{id:Id;if_match?:string;body:GridMonthParams}, OwnGridMonth>
/** Withdraw an own grid factor of a month. */
deleteOwnGridMonth: Method<{id:Id;if_match?:string}, OwnGridMonth>
/** List own residual mixes. */
listOwnResidualMixFactors: OptionalMethod<NoInput, OwnResidualMixFactor[]>
/** Store own residual mixes from a CSV file. */
importOwnResidualMixFactors: Method<{new_versions?:boolean;reason?:string;body:Upload}, StoredFigures>
/** Get an own residual mix. */
getOwnResidualMixFactor: Method<{id:Id}, OwnResidualMixFactor>
/** Store an own residual mix. */
putOwnResidualMixFactor: Method<{id:Id;if_match?:string;body:ResidualMixParams}, OwnResidualMixFactor>
/** Withdraw an own residual mix. */
deleteOwnResidualMixFactor: Method<{id:Id;if_match?:string}, OwnResidualMixFactor>
/** List own shares of grid losses. */
listOwnGridLossShares: OptionalMethod<NoInput, OwnGridLossShare[]>
/** Store own shares of grid losses from a CSV file. */
importOwnGridLossShares: Method<{new_versions?:boolean;reason?:string;body:Upload}, StoredFigures>
/** Get an own share of grid losses. */
getOwnGridLossShare: Method<{id:Id}, OwnGridLossShare>
/** Store an own share of grid losses. */
putOwnGridLossShare: Method<{id:Id;if_match?:string;body:GridLossParams}, OwnGridLossShare>
/** Withdraw an own share of grid losses. */
deleteOwnGridLossShare: Method<{id:Id;if_match?:string}, OwnGridLossShare>
/** List own electricity instruments. */
listOwnInstruments: OptionalMethod<NoInput, OwnInstrument[]>
/** Store own electricity instruments from a CSV file. */
importOwnInstruments: Method<{new_versions?:boolean;body:Upload}, StoredFigures>
/** Get an own electricity instrument. */
getOwnInstrument: Method<{id:Id}, OwnInstrument>
/** Store an own electricity instrument. */
putOwnInstrument: Method<{id:Id;if_match?:string;body:InstrumentParams}, OwnInstrument>
/** Withdraw an own electricity instrument. */
deleteOwnInstrument: Method<{id:Id;if_match?:string}, OwnInstrument>
/** List dataset releases. */
listDatasetReleases: OptionalMethod<NoInput, DatasetReleases>
/** List figures that differ between two releases. */
listReleaseChanges: List<{release_id:Id;to?:string;kind?:Many<"model" | "known_device" | "type_default" | "fallback" | "transportation" | "distance_adjustment" | "packaging" | "it_equipment" | "grid_factor" | "grid_series_factor" | "grid_region" | "grid_loss" | "refurbishment">;limit?:number;cursor?:string}, Changes, ReleaseChanges>
/** Check whether the process serves requests. */
getLiveness: OptionalMethod<NoInput, Health>
/** Check whether the service can take orders. */
getReadiness: OptionalMethod<NoInput, Health>
}
