# The models and operations of the API, written by scripts/write-client.ts from the OpenAPI document; not edited by hand.
# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false
from __future__ import annotations

from typing import Any, Literal

from httpx import Response

from ._methods import answer, listing
from ._model import Body, Id, Many, Model, Number, Pages, Upload, named

VERSION = "0.1.0"


class OrderParams(Model):
    customer_id: str
    order_id: str
    order_date: str
    tenure_start_date: str
    country: str | None = None
    metadata: dict[str, str] | None = None
    items: list[OrderItem] | None = None


class PackagingConfig(Model):
    packaging_id: str
    weight_kg: Number


class PackagingItem(Model):
    type: Literal["packaging"]
    config: PackagingConfig


class ProductConfig(Model):
    product_id: str
    serial_number: str
    tenure_months: int
    weight_kg: Number
    product_name: str | None = None
    brand: str | None = None
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str | None = None
    model_id: str | None = None
    country: str | None = None


class ProductItem(Model):
    type: Literal["product"]
    config: ProductConfig


class TransportationConfig(Model):
    transportation_id: str
    transportation_mode: str
    distance_km: Number
    weight_kg: Number
    distance_basis: Literal["actual", "shortest_feasible", "great_circle"] | str | None = None


class TransportationItem(Model):
    type: Literal["transportation"]
    config: TransportationConfig


class CancelledEvent(Model):
    event_id: str
    type: Literal["cancelled"]
    serial_number: str | None = None
    date: str
    dispatched: bool | None = None


class EmissionDefault(Model):
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str
    low_kg: Number
    high_kg: Number
    dataset_release: str


class ExtendedEvent(Model):
    event_id: str
    type: Literal["extended"]
    serial_number: str | None = None
    tenure_months: int


class IdentifiedEvent(Model):
    event_id: str
    type: Literal["identified"]
    model_id: str | None = None
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str | None = None
    weight_kg: Number | None = None
    reason: str | None = None


class LostEvent(Model):
    event_id: str
    type: Literal["lost"]
    date: str


class OrderIdentification(Model):
    event_id: str
    type: Literal["identified"]
    customer_id: str
    order_id: str
    footprint_id: str
    exact_weight_kg: str | None = None
    product_id: str | None = None
    match_method: str | None = None


class RecordedDeviceEvent(Model):
    recorded_at: str
    recorded_by: RecordedDeviceEventRecordedBy | RecordedDeviceEventRecordedByValue | None
    withdrawn_by: str | None = None
    event: RefurbishedByDefault | DeviceEventParams | OrderIdentification


class RecordedEvent(Model):
    recorded_at: str
    recorded_by: RecordedDeviceEventRecordedBy | RecordedDeviceEventRecordedByValue | None
    withdrawn_by: str | None = None
    event: OrderEventParams | ReversedEvent


class RefurbishedByDefault(Model):
    event_id: str
    type: Literal["refurbished"]
    date: str
    emission_kg: Number
    lifetime_months_added: int
    emission_default: EmissionDefault


class RefurbishedEvent(Model):
    event_id: str
    type: Literal["refurbished"]
    date: str
    emission_kg: Number | None = None
    lifetime_months_added: int


class RetiredEvent(Model):
    event_id: str
    type: Literal["retired"]
    date: str


class ReturnedEvent(Model):
    event_id: str
    type: Literal["returned"]
    serial_number: str | None = None
    date: str


class ReversedEvent(Model):
    event_id: str
    type: Literal["reversed"]
    serial_number: str | None = None
    import_id: int


class SwappedEvent(Model):
    event_id: str
    type: Literal["swapped"]
    serial_number: str | None = None
    date: str
    new_serial_number: str
    weight_kg: Number
    product_id: str | None = None
    product_name: str | None = None
    brand: str | None = None
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str | None = None
    model_id: str | None = None


class WithdrawnEvent(Model):
    event_id: str
    type: Literal["withdrawn"]
    withdraws: str
    reason: str | None = None


class EventPreview(Model):
    event_id: str | None = None
    already_recorded: bool
    emission_unit: str
    counts_from: str | None
    difference: PartEmissions
    warnings: list[Problem] | None = None
    orders: list[EventPreviewOrders]
    devices: list[EventPreviewDevices]
    years: list[EventPreviewYears] | None


class PartEmissions(Model):
    total_emission: Number
    product_embodied_emission: Number
    product_use: Number
    packaging: Number
    transportation: Number


class DeviceClosedData(Model):
    serial_number: str
    reason: str
    cause: DeviceClosedDataCause
    link: str


class FeedEvent(Model):
    specversion: Literal["1.0"]
    id: str
    source: str
    type: Literal["order.created", "order.corrected", "order.restated", "order.changed", "device.closed", "statement.issued", "statement.superseded", "import.finished", "release.available", "release.applied", "webhook.test"] | str
    subject: str
    time: str
    datacontenttype: Literal["application/json"]
    dataschema: str | None = None
    data: OrderCreatedData | OrderChangedData | DeviceClosedData | StatementIssuedData | StatementSupersededData | ImportFinishedData | ReleaseData | WebhookTestData


class FeedPage(Model):
    events: list[FeedEvent]
    next: str
    has_more: bool


class ImportFinishedData(Model):
    import_id: int
    state: str
    link: str


class OrderChangedData(Model):
    customer_id: str
    order_id: str
    old_total_emission: Number | None
    new_total_emission: Number | None
    emission_unit: str
    cause: DeviceClosedDataCause
    link: str


class OrderCreatedData(Model):
    customer_id: str
    order_id: str
    new_total_emission: Number | None
    emission_unit: str
    link: str


class ReleaseData(Model):
    dataset_release: str
    link: str


class StatementIssuedData(Model):
    year: int
    link: str


class StatementSupersededData(Model):
    customer_id: str
    year: int
    cause: StatementSupersededDataCause
    link: str


class WebhookTestData(Model):
    message: str


class Webhook(Model):
    webhook_id: int
    url: str
    types: list[Literal["order.created", "order.corrected", "order.restated", "order.changed", "device.closed", "statement.issued", "statement.superseded", "import.finished", "release.available", "release.applied"] | str]
    description: str
    enabled: bool
    disabled_reason: Literal["gone", "attempts_exhausted"] | str | None
    created_at: str
    previous_secret_until: str | None
    failures_in_a_row: int
    paused_until: str | None
    number_of_waiting_deliveries: int


class WebhookChanges(Model):
    url: str | None = None
    types: list[Literal["order.created", "order.corrected", "order.restated", "order.changed", "device.closed", "statement.issued", "statement.superseded", "import.finished", "release.available", "release.applied"] | str] | None = None
    description: str | None = None
    enabled: bool | None = None


class WebhookDelivery(Model):
    delivery_id: int
    type: Literal["order.created", "order.corrected", "order.restated", "order.changed", "device.closed", "statement.issued", "statement.superseded", "import.finished", "release.available", "release.applied", "webhook.test"] | str
    event_time: str
    state: Literal["waiting", "succeeded", "failed"] | str
    number_of_attempts: int
    next_attempt_at: str | None
    last_attempt_at: str | None
    last_status: int | None
    last_problem: Literal["target_refused", "name_not_resolved", "connection_failed", "timeout", "redirect", "status", "event_expired"] | str | None
    last_milliseconds: int | None


class WebhookParams(Model):
    url: str
    types: list[Literal["order.created", "order.corrected", "order.restated", "order.changed", "device.closed", "statement.issued", "statement.superseded", "import.finished", "release.available", "release.applied"] | str] | None = None
    description: str | None = None
    enabled: bool | None = None


class WebhookWithSecret(Model):
    secret: str
    webhook_id: int
    url: str
    types: list[Literal["order.created", "order.corrected", "order.restated", "order.changed", "device.closed", "statement.issued", "statement.superseded", "import.finished", "release.available", "release.applied"] | str]
    description: str
    enabled: bool
    disabled_reason: Literal["gone", "attempts_exhausted"] | str | None
    created_at: str
    previous_secret_until: str | None
    failures_in_a_row: int
    paused_until: str | None
    number_of_waiting_deliveries: int


class EventBatchParams(Model):
    events: list[EventOfOrderParams | EventOfDeviceParams]


class OrderBatchParams(Model):
    orders: list[OrderParams]


class OrderReturnedEvent(Model):
    customer_id: str
    order_id: str
    event_id: str
    type: Literal["returned"]
    serial_number: str | None = None
    date: str


class OrderExtendedEvent(Model):
    customer_id: str
    order_id: str
    event_id: str
    type: Literal["extended"]
    serial_number: str | None = None
    tenure_months: int


class OrderCancelledEvent(Model):
    customer_id: str
    order_id: str
    event_id: str
    type: Literal["cancelled"]
    serial_number: str | None = None
    date: str
    dispatched: bool | None = None


class OrderSwappedEvent(Model):
    customer_id: str
    order_id: str
    event_id: str
    type: Literal["swapped"]
    serial_number: str | None = None
    date: str
    new_serial_number: str
    weight_kg: Number
    product_id: str | None = None
    product_name: str | None = None
    brand: str | None = None
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str | None = None
    model_id: str | None = None


class OrderWithdrawnEvent(Model):
    customer_id: str
    order_id: str
    event_id: str
    type: Literal["withdrawn"]
    withdraws: str
    reason: str | None = None


class DeviceRefurbishedEvent(Model):
    serial_number: str
    event_id: str
    type: Literal["refurbished"]
    date: str
    emission_kg: Number | None = None
    lifetime_months_added: int


class DeviceRetiredEvent(Model):
    serial_number: str
    event_id: str
    type: Literal["retired"]
    date: str


class DeviceLostEvent(Model):
    serial_number: str
    event_id: str
    type: Literal["lost"]
    date: str


class DeviceIdentifiedEvent(Model):
    serial_number: str
    event_id: str
    type: Literal["identified"]
    model_id: str | None = None
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str | None = None
    weight_kg: Number | None = None
    reason: str | None = None


class DeviceWithdrawnEvent(Model):
    serial_number: str
    event_id: str
    type: Literal["withdrawn"]
    withdraws: str
    reason: str | None = None


class EventBatchResponse(Model):
    results: list[EventBatchResponseResults]


class OrderBatchResponse(Model):
    emission_unit: str
    results: list[OrderBatchResponseResults]


class LifeAllocation(Model):
    method: Literal["capped_linear", "first_life", "last_life", "equal", "actual_months", "actual_months_pooled", "economic", "years_digits", "factor_a_0.2", "factor_a_0.5", "factor_a_0.8"] | str
    provisional: bool
    posted: bool
    lives: list[LifeAllocationLives] | None = None
    residual: Number | None = None
    resale_values_needed: int | None = None
    total: Number


class DeviceHistory(Model):
    initial: DeviceHistoryInitial
    events: list[DeviceHistoryEvents]
    balance: DeviceHistoryBalance


class Entry(Model):
    entry_no: int
    kind: Literal["allocation", "correction", "refurbishment", "retirement"] | str
    reason: Literal["order", "extension", "early_return", "late_return", "return", "cancelled", "reversal", "swapped_out", "swapped_in", "refurbishment", "retirement", "loss", "identification", "withdrawal", "correction", "overlap", "resequenced"] | str
    posted_at: str
    counts_from: str | None = None
    device_id: str | None = None
    serial_number: str | None = None
    customer_id: str | None = None
    order_id: str | None = None
    cause: EntryCause | None = None
    in_force: EntryInForce | None = None
    corrects: int | None = None
    tenure_start_date: str | None = None
    tenure_end_date: str | None = None
    tenure_months: Number | None = None
    total_emission: Number
    emission: EntryEmission


class Calculation(Model):
    method: str
    methodology: str
    formula: str
    inputs: list[CalculationInputs]
    factors: list[CalculationFactors]
    notes: list[str]
    note_messages: list[MessageReference] | None = None
    ledger: CalculationLedger | None = None


class DeviceOrderEmission(Model):
    customer_id: str
    order_id: str
    order_date: str
    tenure_start_date: str
    emission_unit: str
    total_emission: Number
    emission: DeviceOrderEmissionEmission


class DeviceOrderEmissionsResponse(Model):
    serial_number: str
    emission_unit: str
    number_of_orders: int
    total_emission: Number
    orders: list[DeviceOrderEmission]
    entries: list[Entry] | None = None
    history: DeviceHistory | None = None
    events: list[RecordedDeviceEvent] | None = None
    allocations: list[LifeAllocation] | None = None
    warnings: list[Problem] | None = None


class EmissionBreakdown(Model):
    description: str
    description_message: MessageReference | None = None
    emission: Number
    emission_unit: str
    ghg_category: str
    ghg_scope: str
    type: Literal["estimated", "indicative"] | str
    calculation: Calculation | None = None
    uncertainty: Uncertainty | None = None


class ListedDevice(Model):
    serial_number: str
    footprint_id: str
    name: str
    name_message: MessageReference | None = None
    emission_unit: str
    embodied_total: Number
    allocated: Number
    unallocated: Number
    remaining: Number
    total_emission: Number
    number_of_orders: int
    decommissioned: Literal["retired", "lost"] | str | None = None
    last_rental: ListedDeviceLastRental | None = None


class OrderCorrection(Model):
    event_id: str
    corrected_at: str
    recorded_by: RecordedDeviceEventRecordedBy | RecordedDeviceEventRecordedByValue | None
    reason: str | None = None
    changes: list[OrderCorrectionChanges]


class OrderResponse(Model):
    order_id: str
    customer_id: str
    order_date: str
    tenure_start_date: str
    created_at: str
    status: Literal["created"]
    emission_unit: str
    total_emission: Number
    metadata: dict[str, str] | None = None
    total_emission_excluding_indicative: Number | None = None
    uncertainty: Uncertainty | None = None
    items: list[ResponseItem]
    warnings: list[Problem] | None = None


class OrderState(Model):
    order_id: str
    customer_id: str
    order_date: str
    tenure_start_date: str
    created_at: str
    status: Literal["created", "amended", "returned", "cancelled", "reversed"] | str
    emission_unit: str
    total_emission: Number
    metadata: dict[str, str] | None = None
    total_emission_excluding_indicative: Number | None = None
    uncertainty: Uncertainty | None = None
    items: list[ResponseItem]
    warnings: list[Problem] | None = None
    entries: list[Entry] | None = None
    events: list[RecordedEvent] | None = None
    corrections: list[OrderCorrection] | None = None


class OrderSummary(Model):
    order_id: str
    customer_id: str
    order_date: str
    tenure_start_date: str
    created_at: str
    status: Literal["created", "amended", "returned", "cancelled", "reversed"] | str
    emission_unit: str
    total_emission: Number
    metadata: dict[str, str] | None = None
    number_of_devices: int


class ResponseItem(Model):
    type: Literal["product", "packaging", "transportation"] | str
    device_id: str | None = None
    serial_number: str | None = None
    total_emission: Number
    uncertainty: Uncertainty | None = None
    emission_breakdown: DeviceOrderEmissionEmission


class Uncertainty(Model):
    low: Number
    high: Number
    level: Number
    kind: Literal["lognormal"]
    gsd: Number
    from_: list[UncertaintyFrom] | None = named("from", None)


class Receipt(Model):
    media_type: Literal["application/vnd.cradle.receipt+json;version=3"]
    issued: ReceiptIssued
    order: ReceiptOrder
    events: list[dict[str, Any]]
    match: list[dict[str, Any]]
    releases: list[ReceiptReleases]
    devices: list[ReceiptDevice]
    posted_to_order: list[ReceiptEntry]
    items: list[ReceiptItems]
    status: Literal["created", "amended", "returned", "cancelled", "reversed"] | str
    emission_unit: str
    total_emission: str
    total_emission_excluding_indicative: str
    signed_by: ReceiptSignedBy | None = None
    hash: ReceiptHash
    signature: ReceiptSignature | None = None


class ReceiptDevice(Model):
    device_id: str
    serial_number: str
    footprint_id: str
    dataset_release: str
    weight_kg: str | None = None
    embodied: str
    lifetime_months: str
    amortisation: Literal["capped", "uncapped"] | str
    identified_by: str | None = None
    ledger: ReceiptDeviceLedger
    balance_before: ReceiptDeviceBalanceBefore
    balance_after: ReceiptDeviceBalanceBefore
    posted: list[ReceiptEntry]
    posted_total: ReceiptDevicePostedTotal
    total: ReceiptDevicePostedTotal


class ReceiptEntry(Model):
    entry_no: int
    reason: str
    posted_at: str
    event_id: str | None = None
    caused_by_rental: int | None = None
    in_force: ReceiptEntryInForce | None = None
    terms: ReceiptEntryTerms | None = None
    emission: ReceiptDevicePostedTotal


class Verification(Model):
    outcome: Literal["equal", "different"] | str
    verified_at: str
    lines: int
    devices: int
    entries: int
    dataset_releases: list[str]
    difference: VerificationDifference | None = None


class AlternativeParams(Model):
    name: str
    changes: OrderChanges


class EstimateParams(Model):
    customer_id: str
    order_id: str
    order_date: str
    tenure_start_date: str
    country: str | None = None
    metadata: dict[str, str] | None = None
    items: list[OrderItem] | None = None
    alternatives: list[AlternativeParams] | None = None


class OrderChanges(Model):
    tenure_months: int | None = None
    transportation: OtherTransportation | None = None
    refurbished: OtherOrigin | None = None


class OtherOrigin(Model):
    emission_kg: Number | None = None
    lifetime_months_added: int
    months_before: int | None = None


class OtherTransportation(Model):
    from_: str = named("from")
    to: str
    distance_km: Number | None = None
    distance_basis: Literal["actual", "shortest_feasible", "great_circle"] | str | None = None


class Alternative(Model):
    name: str
    emission_unit: str
    total_emission: Number
    total_emission_excluding_indicative: Number | None = None
    uncertainty: Uncertainty | None = None
    difference: AlternativeDifference
    items: list[ResponseItem]


class EstimateResponse(Model):
    order_id: str
    customer_id: str
    order_date: str
    tenure_start_date: str
    created_at: str
    status: Literal["created"]
    emission_unit: str
    total_emission: Number
    metadata: dict[str, str] | None = None
    total_emission_excluding_indicative: Number | None = None
    uncertainty: Uncertainty | None = None
    items: list[ResponseItem]
    warnings: list[Problem] | None = None
    alternatives: list[Alternative] | None = None


class ListedProduct(Model):
    product_id: str
    state: Literal["unmatched", "variant", "name", "stale", "was_mapped", "mapped"] | str
    mapping: ProductMapping | None = None
    footprint_id: list[str]
    number_of_orders: int
    number_of_devices: int
    posted_emission: Number
    emission_unit: str
    product_name: str | None = None
    brand: str | None = None
    device_type: str | None = None
    candidates: list[MatchCandidate]


class MappingParams(Model):
    model_id: str | None = None
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str | None = None


class MatchCandidate(Model):
    model_id: str
    name: str
    score: Number
    reasons: list[str]
    reason_messages: list[MessageReference]


class MatchResult(Model):
    resolved_to: str
    match_method: str
    type_evidence: TypeEvidence | None = None
    note: str | None = None
    note_message: MessageReference | None = None
    candidates: list[MatchCandidate]


class ProductMapping(Model):
    product_id: str
    model_id: str | None = None
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str | None = None
    is_in_catalogue: bool | None = None
    mapped_at: str


class ProductMappingParams(Model):
    product_id: str
    model_id: str | None = None
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str | None = None


class ProductStateSum(Model):
    state: Literal["unmatched", "variant", "name", "stale", "was_mapped", "mapped"] | str
    number_of_products: int
    posted_emission: Number
    emission_unit: str


class TypeEvidence(Model):
    type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone", "none"] | str
    by: Literal["word", "line", "equipment", "maker"] | str
    words: str | None = None


class ElectricityReport(Model):
    emission_unit: str
    energy_unit: Literal["kWh"]
    year: int
    customer_id: str | None
    dataset_release: str
    grid_series: str | None
    number_of_rentals: int
    number_of_rentals_without_kwh: int
    total: ElectricityReportTotal
    months: list[ElectricityReportMonths]
    notes: list[ElectricityReportNotes]


class Impact(Model):
    customer_id: str
    year: int
    is_preliminary: bool
    impact: ImpactImpact


class ImpactReferenceDevice(Model):
    footprint_id: str
    name: str
    name_message: MessageReference | None = None
    dataset_release: str
    why: str
    why_message: MessageReference
    specificity: Literal["solution_specific", "average", "generic"] | str
    embodied_emission: Number
    lifetime_months: Number
    number_of_devices: int
    reference: ImpactReferenceDeviceReference
    solution: ImpactImpactSolution


class ScenarioChangeParams(Model):
    type: Literal["tenure", "transportation", "packaging", "model", "electricity"] | str
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str | None = None
    months: int | None = None
    from_: str | None = named("from", None)
    to: str | None = None
    country: str | None = None
    factor_kg_co2e_per_kwh: Number | None = None


class ScenarioParams(Model):
    changes: list[ScenarioChangeParams]
    scope: ScenarioScope | None = None


class ScenarioScope(Model):
    customer_id: str | None = None
    from_: str | None = named("from", None)
    to: str | None = None


class Scenario(Model):
    emission_unit: str
    scope: ScenarioScope
    changes: list[ScenarioChangeParams]
    number_of_orders: int
    number_of_orders_changed: int
    number_of_orders_with_difference: int
    by_year: list[ScenarioByYear]
    total: ScenarioTotal
    outside_scope: ScenarioOutsideScope
    not_changed: list[ScenarioNotChanged]
    notes: list[str]
    note_messages: list[MessageReference]


class DataSources(Model):
    customer_id: str
    year: int
    is_preliminary: bool
    emission_unit: str
    total_emission: Number
    emissions: list[DataSourcesEmissions]
    by_specificity: list[DataSourcesBySpecificity]
    by_verification: list[DataSourcesByVerification]
    by_year: list[DataSourcesByYear]
    by_licence: list[DataSourcesByLicence]


class Inventories(Model):
    year: int
    emission_unit: str
    posted: ImpactImpactSolution
    cases: list[InventoryCase]
    dataset_releases: list[str]
    method_version: str
    generated_at: str


class Inventory(Model):
    total_emission: Number
    uncertainty: Uncertainty | None
    lines: list[InventoryLines]


class InventoryCase(Model):
    consolidation_approach: Literal["operational", "financial"] | str
    lease_type: Literal["operating", "finance"] | str
    lessees: Inventory
    lessor: Inventory
    counted_once: InventoryCaseCountedOnce


class ImportColumn(Model):
    header: str
    member: str | None


class ImportError(Model):
    row: int
    column: str | None
    value: str | None
    reason: str
    code: str | None = None
    params: dict[str, MessageValue] | None = None
    suggestion: str | None
    suggestions: list[str] | None = None


class ImportErrorGroup(Model):
    column: str | None
    reason: str
    code: str | None = None
    params: dict[str, MessageValue] | None = None
    errors: int
    rows: list[int]
    values: list[ImportErrorGroupValues]


class ImportErrorGroups(Model):
    rows: int
    is_complete: bool
    groups: list[ImportErrorGroup]


class ImportResponse(Model):
    import_id: int
    kind: Literal["orders", "events"] | str
    state: Literal["queued", "running", "succeeded", "failed", "reversing", "reversed"] | str
    is_dry_run: bool
    file_name: str | None
    file_bytes: int
    file_sha256: str
    settings: list[ImportSetting]
    columns: list[ImportColumn]
    profile: str | None
    suggested_profiles: list[str]
    rows_read: int
    orders_stored: int
    orders_replayed: int
    orders_rejected: int
    rows_rejected: int
    rows_rejected_stored: int
    ignored: list[str]
    number_of_warnings: int
    warnings: list[ImportWarningGroup]
    progress: Number
    orders_per_second: Number | None
    emission_unit: str
    total_emission: Number
    orders_reversed: int
    orders_kept: int
    problem: str | None
    problem_message: MessageReference | None
    created_at: str
    started_at: str | None
    finished_at: str | None


class ImportSetting(Model):
    setting: str
    value: str
    because: str
    code: str | None = None
    params: dict[str, MessageValue] | None = None


class ImportWarningGroup(Model):
    column: str | None
    reason: str
    code: str
    params: dict[str, MessageValue] | None = None
    warnings: int
    rows: list[int]


class ImportProfile(Model):
    name: str
    header: list[str]
    settings: ImportSettings
    saved_at: str


class ImportProfileParams(Model):
    import_id: int | None = None
    header: list[str] | None = None
    settings: ImportSettings | None = None


class ImportSettings(Model):
    layout: Literal["items", "orders", "events"] | str | None = None
    encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250"] | str | None = None
    delimiter: Literal["comma", "semicolon", "tab", "pipe"] | str | None = None
    decimal: Literal["point", "comma"] | str | None = None
    dates: Literal["YYYY-MM-DD", "YYYY/MM/DD", "DD.MM.YYYY", "DD/MM/YYYY", "DD-MM-YYYY", "MM/DD/YYYY", "MM-DD-YYYY", "DD.MM.YY", "DD/MM/YY", "DD-MM-YY", "MM/DD/YY", "MM-DD-YY"] | str | None = None
    sheet: str | None = None
    columns: dict[str, str] | None = None
    values: dict[str, dict[str, str]] | None = None
    header_row: int | None = None
    constants: dict[str, str] | None = None
    register_: ImportSettingsRegister | None = named("register", None)


class Restatement(Model):
    restatement_id: int
    state: Literal["previewing", "previewed", "applying", "applied", "outdated", "failed"] | str
    scope: RestatementScope
    figures: RestatementFigures
    reason: str
    created_at: str
    finished_at: str | None
    key: str
    orders_done: int
    orders_total: int
    orders_refused: int
    interruptions: int
    last_error: RestatementLastError | None
    emission_unit: str
    preview: RestatementPreview | None


class RestatementApplication(Model):
    digest: str


class RestatementChanges(Model):
    emission_unit: str
    orders: list[RestatementPreviewLargestChanges] | None = None
    years: list[RestatementChangesYears] | None = None
    problems: list[RestatementChangesProblems] | None = None
    refused: list[RestatementChangesProblems] | None = None


class RestatementList(Model):
    restatements: list[Restatement]


class RestatementParams(Model):
    scope: RestatementScope
    figures: RestatementFigures
    reason: str


class Account(Model):
    name: str
    amortisation: Literal["capped", "uncapped"] | str
    strictness: Literal["warn", "refuse"] | str
    days_ahead_max: int | None
    restatement_threshold_percent: Number
    dataset_release: str
    grid_series: str
    mappings_version: int
    created_at: str
    is_demo: bool
    has_demo_fleet: bool


class AccountParams(Model):
    amortisation: Literal["capped", "uncapped"] | str
    strictness: Literal["warn", "refuse"] | str | None = None
    days_ahead_max: int | None = None
    restatement_threshold_percent: Number | None = None
    dataset_release: str | None = None
    grid_series: str | None = None


class ApiKey(Model):
    key_id: int
    label: str
    hint: str
    scopes: list[Literal["orders:write", "orders:read", "catalogue:read", "admin"] | str]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None
    is_own: bool


class DemoFleet(Model):
    account: str
    progress: Number
    loaded_at: str | None
    orders: int
    devices: int
    events: int


class KeyParams(Model):
    label: str
    scopes: list[Literal["orders:write", "orders:read", "catalogue:read", "admin"] | str]
    expires_at: str | None = None


class LoadedDemoFleet(Model):
    key: str
    key_expires_at: str
    account: str
    progress: Number
    loaded_at: str | None
    orders: int
    devices: int
    events: int


class NewApiKey(Model):
    key: str
    key_id: int
    label: str
    hint: str
    scopes: list[Literal["orders:write", "orders:read", "catalogue:read", "admin"] | str]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None
    is_own: bool


class RemovedDemoFleet(Model):
    account: str
    rows: int


class GridLossParams(Model):
    share: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None
    reason: str | None = None


class GridMonthParams(Model):
    factor_kg_co2e_per_kwh: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None
    reason: str | None = None


class InstrumentParams(Model):
    customer_id: str
    country: str
    kind: Literal["contract", "certificate", "supplier"] | str
    from_: str = named("from")
    to: str
    kwh: Number | None = None
    share: Number | None = None
    factor_kg_co2e_per_kwh: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnDeviceModelParams(Model):
    name: str
    brand: str
    type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str
    aliases: list[str] | None = None
    total_kg_co2e: Number | None = None
    production_kg_co2e: Number | None = None
    transportation_kg_co2e: Number | None = None
    use_kg_co2e: Number | None = None
    use_share: Number | None = None
    end_of_life_kg_co2e: Number | None = None
    lifetime_months: int | None = None
    weight_kg: Number | None = None
    screen_inches: Number | None = None
    yearly_energy_kwh: Number | None = None
    use_region: Literal["world", "EU", "US", "North America", "Asia"] | str | None = None
    uncertainty_ratio: Number | None = None
    year: int | None = None
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnGridFactorParams(Model):
    factor_kg_co2e_per_kwh: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnLifetimeParams(Model):
    lifetime_months: int
    year: int | None = None
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnPackagingParams(Model):
    name: str
    material: str
    recycled_content_percent: Number | None = None
    factor_kg_co2e_per_kg: Number
    year: int | None = None
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnTransportationParams(Model):
    name: str
    mode: Literal["road", "rail", "sea", "air"] | str
    vehicle: str | None = None
    factor_kg_co2e_per_tonne_km: Number
    ttw_kg_co2e_per_tonne_km: Number | None = None
    distance_basis: Literal["actual", "shortest_feasible", "great_circle"] | str
    region: str | None = None
    year: int | None = None
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class ResidualMixParams(Model):
    factor_kg_co2e_per_kwh: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None
    reason: str | None = None


class OwnDeviceModel(Model):
    id: str
    version: int
    origin: Literal["account"]
    created_at: str
    name: str
    brand: str
    type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str
    aliases: list[str] | None = None
    total_kg_co2e: Number | None = None
    production_kg_co2e: Number | None = None
    transportation_kg_co2e: Number | None = None
    use_kg_co2e: Number | None = None
    use_share: Number | None = None
    end_of_life_kg_co2e: Number | None = None
    lifetime_months: int | None = None
    weight_kg: Number | None = None
    screen_inches: Number | None = None
    yearly_energy_kwh: Number | None = None
    use_region: Literal["world", "EU", "US", "North America", "Asia"] | str | None = None
    uncertainty_ratio: Number | None = None
    year: int | None = None
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnGridFactor(Model):
    id: str
    version: int
    origin: Literal["account"]
    created_at: str
    factor_kg_co2e_per_kwh: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnGridLossShare(Model):
    id: str
    version: int
    origin: Literal["account"]
    created_at: str
    share: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None
    reason: str | None = None


class OwnGridMonth(Model):
    id: str
    version: int
    origin: Literal["account"]
    created_at: str
    factor_kg_co2e_per_kwh: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None
    reason: str | None = None


class OwnInstrument(Model):
    id: str
    version: int
    origin: Literal["account"]
    created_at: str
    customer_id: str
    country: str
    kind: Literal["contract", "certificate", "supplier"] | str
    from_: str = named("from")
    to: str
    kwh: Number | None = None
    share: Number | None = None
    factor_kg_co2e_per_kwh: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnLifetime(Model):
    id: str
    version: int
    origin: Literal["account"]
    created_at: str
    lifetime_months: int
    year: int | None = None
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnPackaging(Model):
    id: str
    version: int
    origin: Literal["account"]
    created_at: str
    name: str
    material: str
    recycled_content_percent: Number | None = None
    factor_kg_co2e_per_kg: Number
    year: int | None = None
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class OwnResidualMixFactor(Model):
    id: str
    version: int
    origin: Literal["account"]
    created_at: str
    factor_kg_co2e_per_kwh: Number
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None
    reason: str | None = None


class OwnTransportation(Model):
    id: str
    version: int
    origin: Literal["account"]
    created_at: str
    name: str
    mode: Literal["road", "rail", "sea", "air"] | str
    vehicle: str | None = None
    factor_kg_co2e_per_tonne_km: Number
    ttw_kg_co2e_per_tonne_km: Number | None = None
    distance_basis: Literal["actual", "shortest_feasible", "great_circle"] | str
    region: str | None = None
    year: int | None = None
    source_title: str
    source_publisher: str
    source_url: str | None = None
    licence: str | None = None
    document_sha256: str | None = None
    verified_by: str | None = None
    note: str | None = None


class StoredFigures(Model):
    number_of_figures: int
    number_of_changes: int


class NewPactClient(Model):
    client_secret: str
    client_id: str
    customer_id: str
    label: str
    events_url: str | None
    created_at: str
    revoked_at: str | None


class PactClient(Model):
    client_id: str
    customer_id: str
    label: str
    events_url: str | None
    created_at: str
    revoked_at: str | None


class PactClientParams(Model):
    customer_id: str
    label: str
    events: PactClientParamsEvents | None = None


class DevicePassport(Model):
    context: list[dict[str, Any]] = named("@context")
    type: list[str] = named("@type")
    DigitalProductPassportId: str
    UniqueProductIdentifier: str
    Granularity: Literal["Item"]
    DppSchemaVersion: Literal["cradle-1"]
    DppStatus: Literal["active", "inactive"] | str
    LastUpdated: str
    EconomicOperatorId: str
    issuer: DevicePassportIssuer
    serial_number: str
    model: DevicePassportModel
    embodied: DevicePassportEmbodied
    electricity: DevicePassportElectricity
    lives: list[DevicePassportLives]
    refurbishments: list[DevicePassportRefurbishments]
    left: DevicePassportLeft | None = None
    balance: DevicePassportBalance
    events: EpcisDocument
    notes: list[str]
    signed_by: ReceiptSignedBy
    hash: ReceiptHash
    signature: ReceiptSignature


class EpcisDocument(Model):
    context: list[str] = named("@context")
    type: Literal["EPCISDocument"]
    schemaVersion: Literal["2.0"]
    creationDate: str
    epcisBody: EpcisDocumentEpcisBody


class ClosingPreview(Model):
    is_preview: Literal[True]
    kind: Literal["closed", "reopened", "unchanged"] | str
    books_closed_until: str | None
    closed_until: str | None
    emission_unit: str
    total_emission: Number
    number_of_customer_years: int
    customer_years: list[ClosingPreviewCustomerYears]
    overdue_rentals: list[ClosingPreviewOverdueRentals] | None
    has_more_overdue_rentals: bool | None


class CorrectedYears(Model):
    emission_unit: str
    restatement_threshold_percent: Number
    number_of_corrected_years: int
    number_of_proposed_restatements: int
    corrected_years: list[CorrectedYearsCorrectedYears]


class PeriodParams(Model):
    closed_until: str | None
    reason: str | None = None


class Periods(Model):
    books_closed_until: str | None
    closings: list[PeriodsClosings]


class Erasure(Model):
    customer_id: str | None
    is_preview: bool
    recorded_at: str | None
    counts: ErasureCounts
    notes: list[ElectricityReportNotes]


class ErasureParams(Model):
    serial_numbers: bool | None = None
    order_ids: bool | None = None


class JwkSet(Model):
    keys: list[JwkSetKeys]


class OrderProof(Model):
    customer_id: str
    year: int
    known_at: str
    order_id: str
    is_included: bool
    algorithm: Literal["rfc6962-sha256"]
    root: str
    tree_size: int
    leaves: list[OrderProofLeaves]


class Statement(Model):
    media_type: Literal["application/vnd.cradle.statement+json;version=4"]
    issued: StatementIssued
    issuer: StatementIssuer
    customer_id: str
    year: int
    is_preliminary: bool
    inventory_boundary: StatementInventoryBoundary
    emission_unit: str
    summary: StatementSummary
    corrections_of_earlier_years: StatementCorrectionsOfEarlierYears | None = None
    by_category: list[StatementByCategory]
    by_part: list[StatementByPart]
    by_type: list[StatementByType]
    by_match_level: list[StatementByType]
    by_data_quality: list[StatementByType]
    by_month: list[StatementByMonth]
    devices: list[StatementDevice]
    orders: list[StatementOrders]
    calculation_bases: list[StatementCalculationBases]
    factors: list[StatementFactors]
    sources: list[ReceiptReleasesSources]
    releases: list[StatementReleases]
    basis: list[str]
    exclusions: list[str]
    notes: list[str]
    completeness: StatementCompleteness
    signed_by: ReceiptSignedBy
    hash: ReceiptHash
    signature: ReceiptSignature


class StatementAmounts(Model):
    product_embodied_emission: str
    product_use: str
    packaging: str
    transportation: str
    total_emission: str


class StatementDevice(Model):
    device_id: str
    serial_number: str
    model: StatementDeviceModel
    is_held_at_opening: bool
    is_held_at_closing: bool
    opening: StatementAmounts
    year: StatementAmounts
    closing: StatementAmounts
    posted_later: StatementAmounts
    rentals: list[StatementDeviceRentals]


class StatementEntry(Model):
    posted_at: str
    counts_from: str | None = None
    reason: str
    event_id: str | None = None
    recorded_by: RecordedDeviceEventRecordedBy | RecordedDeviceEventRecordedByValue | None = None
    caused_by: str | None = None
    months: str | None
    from_: str | None = named("from", None)
    use_basis: int | None
    product_embodied_emission: str
    product_use: str
    packaging: str
    transportation: str
    total_emission: str


class StatementKey(Model):
    algorithm: Literal["ed25519"]
    public_key: str
    fingerprint: str
    created_at: str


class EmissionGroup(Model):
    month: str | None = None
    quarter: str | None = None
    year: str | None = None
    customer: str | None = None
    model: str | None = None
    type: str | None = None
    brand: str | None = None
    country: str | None = None
    part: str | None = None
    scope: str | None = None
    category: str | None = None
    estimate_type: str | None = None
    model_name: str | None = None
    scope_name: str | None = None
    total_emission: Number
    number_of_orders: int | None = None
    number_of_rentals: int | None = None
    device_months: Number | None = None
    uncertainty: Uncertainty | None


class EmissionsReport(Model):
    reporting_entity: Literal["lessee", "lessor"] | str
    consolidation_approach: Literal["operational", "financial"] | str
    lease_type: Literal["operating", "finance"] | str
    date_basis: Literal["order", "tenure", "dispatch"] | str
    from_: str | None = named("from")
    to: str | None
    group_by: list[str]
    sort: Literal["name", "-total_emission"] | str
    limit: int
    filters: dict[str, list[str]]
    emission_unit: str
    total_emission: Number
    number_of_orders: int
    number_of_rentals: int
    device_months: Number | None = None
    uncertainty: Uncertainty | None
    groups: list[EmissionGroup]
    remainder: RemainderGroups | None
    labels: list[EmissionsReportLabels]
    excluded: list[str]
    excluded_messages: list[MessageReference]
    dataset_releases: list[str]
    method_version: str
    generated_at: str


class ProductToImprove(Model):
    product_id: str
    match_method: str
    footprint_id: list[str]
    total_emission: Number
    low: Number
    high: Number
    width: Number
    use_without_country: Number
    improvements: list[Literal["map_product_id", "confirm_model", "state_country"] | str]


class QualityAge(Model):
    age_years: Literal["0-2", "3-5", "6-9", "10-14", "15+", "unknown"] | str
    total_emission: Number
    share_percent: Number


class QualityCountry(Model):
    country: Literal["given", "missing"] | str
    use_emission: Number
    share_percent: Number


class QualityLevel(Model):
    level: Literal["model", "family", "brand-fit", "brand", "type-fit", "type", "weight-fit", "weight", "packaging", "transportation"] | str
    type: Literal["estimated", "indicative"] | str
    total_emission: Number
    share_percent: Number


class QualityReport(Model):
    emission_unit: str
    total_emission: Number
    by_level: list[QualityLevel]
    by_source_age: list[QualityAge]
    by_country: list[QualityCountry]
    to_improve: list[ProductToImprove]
    filters: dict[str, list[str]]
    dataset_releases: list[str]
    method_version: str
    generated_at: str


class RemainderGroups(Model):
    number_of_groups: int
    total_emission: Number
    number_of_orders: int | None = None
    number_of_rentals: int | None = None
    device_months: Number | None = None
    uncertainty: Uncertainty | None


class BadRequest(Model):
    error: str
    code: str
    reason: MessageReference
    details: list[Problem]
    request_id: str


class ErrorResponse(Model):
    code: Literal["unauthorized"]
    detail: str
    reason: MessageReference
    request_id: str


class Failure(Model):
    error: str
    code: str
    reason: MessageReference
    request_id: str


class MessageReference(Model):
    code: str
    params: dict[str, MessageValue] | None = None


class Packaging(Model):
    packaging_id: str
    name: str
    material: str
    recycled_content_percent: Number | None = None
    emission_factor: Number
    emission_factor_unit: Literal["kgCO2e/kg"]
    end_of_life_included: Literal[False]
    is_proxy: Literal[True] | None = None
    ghg_category: str
    ghg_scope: str
    origin: Literal["account", "catalogue"] | str
    version: int | None = None
    source: Source


class PackagingList(Model):
    packagings: list[Packaging]


class Problem(Model):
    path: str
    message: str
    code: str
    params: dict[str, MessageValue] | None = None
    suggestions: list[str] | None = None


class Source(Model):
    title: str
    publisher: str
    year: int | None
    url: str
    licence: str
    origin: Literal["account"] | None = None
    version: int | None = None
    document_sha256: str | None = None
    verified_by: str | None = None


class Transportation(Model):
    transportation_id: str
    name: str
    transportation_mode: Literal["road", "rail", "sea", "air"] | str
    vehicle: str
    emission_factor: Number
    emission_factor_unit: Literal["kgCO2e/t.km"]
    boundary: Literal["WTW"]
    emission_factor_ttw: Number
    distance_basis: Literal["actual", "shortest_feasible", "great_circle"] | str
    region: str
    ghg_category: str
    ghg_scope: str
    origin: Literal["account", "catalogue"] | str
    version: int | None = None
    source: Source


class TransportationList(Model):
    packagings: list[Transportation]


class DatasetReleases(Model):
    method_version: str
    dataset_releases: list[DatasetReleasesDatasetReleases]
    grid_series: list[DatasetReleasesGridSeries]


class ReleaseChanges(Model):
    from_: str = named("from")
    to: str
    number_of_changes: dict[str, ReleaseChangesNumberOfChanges]
    other_files: list[str]
    changes: list[ReleaseChangesChanges]


class DeviceModel(Model):
    id: str
    name: str
    brand: str
    type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str
    product_footprint: Number
    product_footprint_unit: str
    footprint_breakdown: DeviceModelFootprintBreakdown
    origin: Literal["account", "catalogue"] | str
    version: int | None = None
    uncertainty: Uncertainty | None = None
    lifetime_months: Number | None = None
    weight_kg: Number | None = None
    yearly_energy_kwh: Number | None = None
    source: Source | None = None


class Health(Model):
    status: Literal["live"] | Literal["ready"]


class RecordedDeviceEventRecordedBy(Model):
    key: str
    label: str


class RecordedDeviceEventRecordedByValue(Model):
    import_id: int


class EventPreviewOrders(Model):
    customer_id: str
    order_id: str
    before: PartEmissions
    after: PartEmissions
    difference: PartEmissions


class EventPreviewDevices(Model):
    serial_number: str
    embodied_total_before: Number
    embodied_total_after: Number


class EventPreviewYears(Model):
    customer_id: str
    year: int
    difference: PartEmissions


class DeviceClosedDataCause(Model):
    event_id: str | None = None
    customer_id: str | None = None
    order_id: str | None = None
    serial_number: str | None = None


class StatementSupersededDataCause(Model):
    restatement_id: int


class EventBatchResponseResults(Model):
    event_id: str | None = None
    status: int
    idempotent_replayed: bool | None = None
    warnings: list[Problem] | None = None
    error: str | None = None
    code: str | None = None
    reason: MessageReference | None = None
    details: list[Problem] | None = None


class OrderBatchResponseResults(Model):
    customer_id: str | None = None
    order_id: str | None = None
    status: int
    idempotent_replayed: bool | None = None
    warnings: list[Problem] | None = None
    error: str | None = None
    code: str | None = None
    reason: MessageReference | None = None
    details: list[Problem] | None = None
    total_emission: Number | None = None


class LifeAllocationLives(Model):
    customer_id: str
    order_id: str
    from_: str = named("from")
    to: str
    months: Number
    embodied_emission: Number


class DeviceHistoryInitial(Model):
    footprint_id: str
    identified_by: str | None = None
    name: str
    name_message: MessageReference | None = None
    dataset_release: str
    embodied_emission: Number
    lifetime_months: Number
    amortisation: Literal["capped", "uncapped"] | str


class DeviceHistoryEvents(Model):
    type: Literal["rented", "refurbished", "retired", "lost"] | str
    date: str | None = None
    customer_id: str | None = None
    order_id: str | None = None
    from_: str | None = named("from", None)
    to: str | None = None
    ended_by: str | None = None
    months: Number | None = None
    allocated_months: Number | None = None
    embodied_emission: Number | None = None
    emission_added: Number | None = None
    emission_default: EmissionDefault | None = None
    months_added: Number | None = None
    remaining: Number
    remaining_months: Number


class DeviceHistoryBalance(Model):
    emission_unit: str
    embodied_total: Number
    allocated: Number
    unallocated: Number
    remaining: Number
    remaining_months: Number
    fully_amortised: bool


class EntryCause(Model):
    event_id: str | None = None
    customer_id: str | None = None
    order_id: str | None = None


class EntryInForce(Model):
    reason: Literal["order", "extension", "early_return", "late_return", "return", "cancelled", "reversal", "swapped_out", "swapped_in", "refurbishment", "retirement", "loss", "identification", "withdrawal", "correction", "overlap", "resequenced"] | str
    event_id: str | None = None


class EntryEmission(Model):
    product_embodied_emission: Number
    product_use: Number
    packaging: Number
    transportation: Number


class CalculationInputs(Model):
    symbol: str
    name: str
    value: Number
    unit: str
    from_: str = named("from")
    years: list[int] | None = None


class CalculationFactors(Model):
    symbol: str
    id: str
    value: Number
    unit: str
    source: Source
    dataset_release: str


class CalculationLedger(Model):
    ledger_months_before: Number
    allocated_months: Number
    unallocated_tenure_months: Number
    remaining_before: Number
    remaining_after: Number
    fully_amortised: bool


class DeviceOrderEmissionEmission(Model):
    packaging: EmissionBreakdown | None = None
    product_embodied_emission: EmissionBreakdown | None = None
    product_use: EmissionBreakdown | None = None
    transportation: EmissionBreakdown | None = None


class ListedDeviceLastRental(Model):
    customer_id: str
    order_id: str
    from_: str = named("from")
    to: str


class OrderCorrectionChanges(Model):
    path: str
    before: Any | None = None
    after: Any | None = None


class UncertaintyFrom(Model):
    name: str
    name_message: MessageReference
    log_sd: Number


class ReceiptIssued(Model):
    by: Literal["cradle"]
    version: str
    method: str
    at: str
    known_at: str | None = None


class ReceiptOrderDefaultsApplied(Model):
    item: int
    code: str
    message: str


class ReceiptOrder(Model):
    received_at: str
    dataset_release: str
    as_received: dict[str, Any]
    corrections: list[dict[str, Any]] | None = None
    normalised: dict[str, Any]
    defaults_applied: list[ReceiptOrderDefaultsApplied]


class ReceiptReleasesSources(Model):
    no: int
    title: str
    publisher: str
    year: int | None
    url: str
    licence: str
    origin: Literal["account"] | None = None
    version: int | None = None
    document_sha256: str | None = None
    verified_by: str | None = None


class ReceiptReleases(Model):
    name: str
    content_hash: str
    aliases: list[dict[str, Any]]
    models: list[dict[str, Any]]
    type_defaults: list[dict[str, Any]]
    fallbacks: list[dict[str, Any]] | None = None
    it_equipment: dict[str, Any] | None = None
    transportations: list[dict[str, Any]]
    distance_adjustments: list[dict[str, Any]]
    packagings: list[dict[str, Any]]
    grids: list[dict[str, Any]]
    sources: list[ReceiptReleasesSources]


class ReceiptItems(Model):
    type: Literal["product", "transportation", "packaging"] | str
    device_id: str | None = None
    serial_number: str | None = None
    total_emission: str
    emission_breakdown: dict[str, Any]


class ReceiptSignedBy(Model):
    algorithm: Literal["ed25519"]
    public_key: str
    fingerprint: str


class ReceiptHash(Model):
    algorithm: Literal["sha256"]
    of: str
    value: str


class ReceiptSignature(Model):
    algorithm: Literal["EdDSA"]
    of: str
    value: str


class ReceiptDeviceLedgerRentals(Model):
    rental: int
    is_this_order: bool
    start: str
    end: str
    months: str
    held_until: str
    months_held: str
    months_allocated: str


class ReceiptDeviceLedgerEventsEmissionDefault(Model):
    device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | str
    low: str
    high: str
    dataset_release: str


class ReceiptDeviceLedgerEvents(Model):
    type: Literal["refurbished", "retired", "lost"] | str
    date: str
    emission: str | None = None
    months_added: str | None = None
    emission_default: ReceiptDeviceLedgerEventsEmissionDefault | None = None


class ReceiptDeviceLedger(Model):
    rentals: list[ReceiptDeviceLedgerRentals]
    events: list[ReceiptDeviceLedgerEvents]


class ReceiptDeviceBalanceBefore(Model):
    remaining_kg: str
    remaining: str
    allocated_kg: str
    allocated: str
    unallocated: str
    kg_per_month: str
    lifetime_months: str
    months_allocated: str


class ReceiptDevicePostedTotal(Model):
    product_embodied_emission: str
    product_use: str
    packaging: str
    transportation: str


class ReceiptEntryInForce(Model):
    reason: str
    event_id: str | None = None


class ReceiptEntryTerms(Model):
    start: str
    end: str
    months: str
    country: str | None = None
    dataset_release: str


class VerificationDifference(Model):
    pointer: str
    expected: str
    found: str


class AlternativeDifference(Model):
    emission: Number
    percent: Number | None


class ElectricityReportTotal(Model):
    kwh: Number
    location_based_emission: Number
    location_based_kwh_without_factor: Number
    market_based_emission: Number
    market_based_kwh_without_factor: Number
    losses_emission: Number


class ElectricityReportMonthsLocationBased(Model):
    ghg_scope: Literal["2"]
    ghg_category: Literal["Electricity"]
    emission: Number
    factor_kg_co2e_per_kwh: Number
    quality: Literal["month", "year_same", "year_near"] | str
    year: int
    series: str | None
    source: Source


class ElectricityReportMonthsMarketBasedParts(Model):
    by: Literal["contract", "certificate", "supplier", "residual_mix", "location_average"] | str
    instrument_id: str | None = None
    kwh: Number
    factor_kg_co2e_per_kwh: Number | None
    emission: Number | None
    year: int | None = None
    source: Source | None


class ElectricityReportMonthsMarketBased(Model):
    ghg_scope: Literal["2"]
    ghg_category: Literal["Electricity"]
    emission: Number
    no_residual: bool
    parts: list[ElectricityReportMonthsMarketBasedParts]


class ElectricityReportMonthsLosses(Model):
    ghg_scope: Literal["3"]
    ghg_category: Literal["Category 3: Fuel- and energy-related activities"]
    emission: Number
    share: Number
    year: int
    source: Source


class ElectricityReportMonths(Model):
    month: str
    country: str | None
    kwh: Number
    state: Literal["forecast", "settled"] | str
    location_based: ElectricityReportMonthsLocationBased | None
    market_based: ElectricityReportMonthsMarketBased
    losses: ElectricityReportMonthsLosses | None


class ElectricityReportNotes(Model):
    message: str
    code: str


class ImpactImpactTimeFrame(Model):
    from_: str = named("from")
    to: str


class ImpactImpactReference(Model):
    product_embodied_emission: Number
    product_use: Number
    total_emission: Number
    devices: list[ImpactReferenceDevice]


class ImpactImpactSolution(Model):
    product_embodied_emission: Number
    product_use: Number
    packaging: Number
    transportation: Number
    total_emission: Number


class ImpactImpactPotentialInterval(Model):
    low: Number
    high: Number
    level: Literal[0.95]


class ImpactImpactPotential(Model):
    emission: Number
    interval: ImpactImpactPotentialInterval


class ImpactImpactNet(Model):
    emission: Number
    interval: ImpactImpactPotentialInterval
    displacement: Number | None = None
    rebound: Number | None = None
    source: str


class ImpactImpact(Model):
    emission_unit: str
    time_frame: ImpactImpactTimeFrame
    allocation_methods: list[Literal["capped_linear", "uncapped"] | str]
    specificity: Literal["solution_specific", "average", "generic"] | str | None
    reference: ImpactImpactReference
    solution: ImpactImpactSolution
    potential: ImpactImpactPotential | None = None
    gross: ImpactImpactPotential | None = None
    net: ImpactImpactNet | None = None
    break_even: Number | None


class ImpactReferenceDeviceReference(Model):
    product_embodied_emission: Number
    product_use: Number
    total_emission: Number


class ScenarioByYear(Model):
    year: int
    before: Number
    after: Number
    difference: Number
    interval: ImpactImpactPotentialInterval


class ScenarioTotal(Model):
    before: Number
    after: Number
    difference: Number
    interval: ImpactImpactPotentialInterval


class ScenarioOutsideScope(Model):
    number_of_orders: int
    difference: Number


class ScenarioNotChanged(Model):
    change: int
    reason: Literal["no_devices", "other_device_type", "no_such_leg", "no_such_packaging", "no_such_model", "not_in_release", "wrong_distance_basis", "tenure_too_long", "extended_together", "event_contradicts", "orders_outside_scope", "other_country", "electricity_unknown"] | str
    why: str
    why_message: MessageReference
    number_of_orders: int


class DataSourcesEmissions(Model):
    part: Literal["product_embodied_emission", "product_use", "packaging", "transportation"] | str
    match_level: Literal["model", "factor", "family", "brand-fit", "brand", "type-fit", "type", "weight-fit", "weight", "similar-factor"] | str
    specificity: Literal["specific", "non_specific"] | str
    verification: Literal["verified", "not_stated"] | str
    year: int | None
    licence: str | None
    sources: list[Source]
    emission: Number
    share_percent: Number | None


class DataSourcesBySpecificity(Model):
    specificity: Literal["specific", "non_specific"] | str
    emission: Number
    share_percent: Number | None


class DataSourcesByVerification(Model):
    verification: Literal["verified", "not_stated"] | str
    emission: Number
    share_percent: Number | None


class DataSourcesByYear(Model):
    year: int | None
    emission: Number
    share_percent: Number | None


class DataSourcesByLicence(Model):
    licence: str | None
    emission: Number
    share_percent: Number | None


class InventoryLines(Model):
    part: Literal["product_embodied_emission", "product_use", "packaging", "transportation"] | str
    ghg_scope: str
    ghg_category: str
    counting: Literal["posted", "whole"] | str
    reason: str
    reason_message: MessageReference
    total_emission: Number
    uncertainty: Uncertainty | None


class InventoryCaseCountedOnce(Model):
    lessees: Number
    lessor: Number
    total_emission: Number


class ImportErrorGroupValues(Model):
    value: str | None
    suggestion: str | None
    suggestions: list[str] | None = None
    errors: int


class ImportSettingsRegister(Model):
    customer_id: str | None = None
    starts_on: str | None = None
    tenure_months: int | None = None
    weight_kg: Number | None = None
    country: str | None = None


class RestatementScope(Model):
    product_ids: list[str] | None = None
    model_ids: list[str] | None = None
    serial_numbers: list[str] | None = None
    import_id: int | None = None
    tenure_start_from: str | None = None


class RestatementFigures(Model):
    mappings: Literal["current"] | None = None
    own: Literal["current"] | None = None
    release: str | None = None
    before_restatement: int | None = None


class RestatementLastError(Model):
    code: Literal["invalid_request", "unauthorized", "foreign_origin", "missing_scope", "not_found", "method_not_allowed", "not_acceptable", "request_timeout", "conflict", "precondition_failed", "too_large", "unsupported_media_type", "expectation_failed", "too_many_requests", "too_many_imports", "too_many_wrong_keys", "headers_too_large", "internal", "unavailable", "storage_full", "read_only"] | str
    message: str
    at: str


class RestatementPreviewBridge(Model):
    identification: Number | None = None
    device_figures: Number | None = None
    electricity: Number | None = None
    transport_and_packaging: Number | None = None


class RestatementPreviewYears(Model):
    year: int
    difference: Number
    bridge: RestatementPreviewBridge


class RestatementPreviewLargestChanges(Model):
    customer_id: str
    order_id: str
    before: Number
    difference: Number
    bridge: RestatementPreviewBridge


class RestatementPreview(Model):
    digest: str
    counts_from: str | None
    number_of_orders: int
    number_of_devices: int
    number_of_customers: int
    number_of_problems: int
    number_of_superseded_statements: int
    before: Number
    difference: Number
    bridge: RestatementPreviewBridge
    years: list[RestatementPreviewYears]
    largest_changes: list[RestatementPreviewLargestChanges] | None = None


class RestatementChangesYears(Model):
    customer_id: str
    year: int
    supersedes_final_statement: bool
    difference: Number
    bridge: RestatementPreviewBridge


class RestatementChangesProblems(Model):
    customer_id: str
    order_id: str
    problem: str
    problem_message: MessageReference | None


class PactClientParamsEvents(Model):
    url: str
    client_id: str
    client_secret: str


class DevicePassportIssuer(Model):
    account: str
    role: Literal["lessor"]


class DevicePassportModel(Model):
    id: str
    name: str
    brand: str | None
    type: str
    match_level: Literal["model", "factor", "family", "brand-fit", "brand", "type-fit", "type", "weight-fit", "weight", "similar-factor"] | str
    dataset_release: str


class DevicePassportEmbodiedInterval(Model):
    low: str
    high: str
    level: str


class DevicePassportEmbodied(Model):
    value: str
    unit: str
    interval: DevicePassportEmbodiedInterval
    type: Literal["estimated", "indicative"] | str
    source: Source


class DevicePassportElectricity(Model):
    kwh_per_year: str | None
    stated_by: str | None
    emission_over_lifetime: str | None
    unit: str


class DevicePassportLives(Model):
    customer: str
    order: str
    from_: str = named("from")
    to: str
    ended_by: str | None = None
    country: str | None
    months: str
    embodied_emission: str
    use_emission: str
    unit: str
    method: str


class DevicePassportRefurbishments(Model):
    date: str
    emission_added: str
    unit: str
    months_added: str
    emission_default: ReceiptDeviceLedgerEventsEmissionDefault | None = None


class DevicePassportLeft(Model):
    date: str
    reason: Literal["retired", "lost"] | str


class DevicePassportBalance(Model):
    embodied_total: str
    allocated: str
    remaining: str
    unallocated: str
    unit: str
    lifetime_months: str
    remaining_months: str
    fully_amortised: bool


class EpcisDocumentEpcisBody(Model):
    eventList: list[dict[str, Any]]


class ClosingPreviewCustomerYears(Model):
    customer_id: str
    year: int
    total_emission: Number
    is_complete: bool


class ClosingPreviewOverdueRentals(Model):
    customer_id: str
    order_id: str
    serial_number: str
    agreed_end: str


class CorrectedYearsCorrectedYears(Model):
    customer_id: str
    year: int
    statement_emission: Number
    corrections_emission: Number
    corrected_emission: Number
    corrections_percent: Number | None
    proposes_restatement: bool


class PeriodsClosings(Model):
    closed_until: str | None
    kind: Literal["closed", "reopened", "upgraded"] | str
    recorded_at: str
    key: str | None
    reason: str | None


class ErasureCounts(Model):
    orders: int
    entries: int
    events: int
    order_ids: int
    serial_numbers: int
    orders_with_metadata: int
    texts: int
    rejected_rows: int


class JwkSetKeys(Model):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    use: Literal["sig"]
    alg: Literal["EdDSA"]


class OrderProofLeaves(Model):
    order_id: str
    revision: int | None = None
    digest: str
    index: int
    path: list[str]


class StatementIssued(Model):
    by: Literal["cradle"]
    version: str
    method: str
    at: str
    known_at: str
    books_closed_until: str | None = None


class StatementIssuer(Model):
    account: str


class StatementInventoryBoundary(Model):
    reporting_entity: Literal["lessee"]
    consolidation_approach: Literal["operational", "financial"] | str
    lease_type: Literal["operating"]


class StatementSummaryUncertainty(Model):
    low: str
    high: str
    level: str
    gsd: str


class StatementSummary(Model):
    total_emission: str
    total_emission_excluding_indicative: str
    uncertainty: StatementSummaryUncertainty
    opening_emission: str
    closing_emission: str
    posted_later_emission: str
    corrections_emission: str
    number_of_orders: int
    number_of_devices: int
    devices_held_at_opening: int
    devices_held_at_closing: int
    primary_data_share: str | None
    data_quality_rating: str | None


class StatementCorrectionsOfEarlierYearsYearsCauses(Model):
    event_id: str | None
    order_id: str | None
    recorded_at: str
    reasons: list[str]
    order_ids: list[str]
    emission: str


class StatementCorrectionsOfEarlierYearsYears(Model):
    year: int
    emission: str
    causes: list[StatementCorrectionsOfEarlierYearsYearsCauses]


class StatementCorrectionsOfEarlierYears(Model):
    emission: str
    emission_of_the_year: str
    years: list[StatementCorrectionsOfEarlierYearsYears]


class StatementByCategory(Model):
    ghg_scope: str
    ghg_category: str
    parts: list[Literal["product_embodied_emission", "product_use", "packaging", "transportation"] | str]
    emission: str
    share_percent: str | None


class StatementByPart(Model):
    part: Literal["product_embodied_emission", "product_use", "packaging", "transportation"] | str
    ghg_scope: str
    ghg_category: str
    reason: str
    emission: str
    share_percent: str | None


class StatementByType(Model):
    name: str
    emission: str
    share_percent: str | None


class StatementByMonth(Model):
    month: str
    product_embodied_emission: str
    product_use: str
    packaging: str
    transportation: str
    total_emission: str


class StatementOrdersLines(Model):
    calculation_basis: int
    emission: str


class StatementOrders(Model):
    order_id: str
    revision: int | None = None
    order_date: str
    dispatch_date: str
    received_at: str
    number_of_devices: int
    content_hash: str
    lines: list[StatementOrdersLines]
    entries: list[StatementEntry]


class StatementCalculationBasesDataQuality(Model):
    technological: int
    temporal: int
    geographical: int


class StatementCalculationBasesErrors(Model):
    factor: str
    name: str
    log_sd: str


class StatementCalculationBases(Model):
    no: int
    part: Literal["product_embodied_emission", "product_use", "packaging", "transportation"] | str
    method: str
    type: Literal["estimated", "indicative"] | str
    match_level: Literal["model", "factor", "family", "brand-fit", "brand", "type-fit", "type", "weight-fit", "weight", "similar-factor"] | str
    is_primary: bool
    data_quality: StatementCalculationBasesDataQuality
    errors: list[StatementCalculationBasesErrors]
    factors: list[int]
    emission: str


class StatementFactors(Model):
    no: int
    symbol: str
    id: str
    value: str
    unit: str
    dataset_release: str
    source: int


class StatementReleases(Model):
    name: str
    content_hash: str


class StatementCompletenessOrders(Model):
    order_id: str
    revision: int | None = None
    digest: str


class StatementCompleteness(Model):
    algorithm: Literal["rfc6962-sha256"]
    of: str
    orders: list[StatementCompletenessOrders]
    root: str


class StatementDeviceModel(Model):
    name: str
    brand: str | None
    type: str
    id: str
    match_level: Literal["model", "factor", "family", "brand-fit", "brand", "type-fit", "type", "weight-fit", "weight", "similar-factor"] | str
    dataset_release: str


class StatementDeviceRentals(Model):
    order_id: str
    revision: int | None = None
    from_: str = named("from")
    until: str
    embodied_basis: int
    shares: list[StatementOrdersLines]
    entries: list[StatementEntry]


class EmissionsReportLabels(Model):
    part: Literal["product_embodied_emission", "product_use", "packaging", "transportation"] | str
    ghg_scope: str
    ghg_category: str
    reason: str
    reason_message: MessageReference


class MessageValueValue(Model):
    message: str
    code: str
    params: dict[str, MessageValue] | None = None


class DatasetReleasesDatasetReleases(Model):
    id: str
    created_at: str
    installed_at: str | None
    parent: str | None
    content_sha256: str
    is_newest: bool
    number_of_figures: dict[str, int]


class DatasetReleasesGridSeries(Model):
    id: str
    name: str
    is_default: bool
    electricity: Literal["generation", "consumption"] | str
    upstream: bool
    losses: bool
    method_version: str
    published_on: str
    years: list[int]
    number_of_countries: int
    source: Source


class ReleaseChangesNumberOfChanges(Model):
    added: int
    removed: int
    changed: int


class ReleaseChangesChanges(Model):
    kind: str
    key: str
    change: Literal["added", "removed", "changed"] | str
    old: Number | None
    new: Number | None
    percent: Number | None


class DeviceModelFootprintBreakdown(Model):
    cradle_to_gate: Number | None = None
    end_of_life_processing: Number | None = None
    product_use: Number | None = None
    production: Number | None = None
    transportation: Number | None = None


class ExportOrdersAnswerAbout(Model):
    export: str
    account: str
    reporting_entity: str
    consolidation_approach: str
    lease_type: str
    exported_at: str
    dataset_releases: list[str]
    method_version: str
    emission_unit: str
    filters: dict[str, list[str]]


class ExportOrdersAnswer(Model):
    about: ExportOrdersAnswerAbout
    rows: list[dict[str, Any]]


OrderItem = ProductItem | TransportationItem | PackagingItem
DeviceEventParams = RefurbishedEvent | RetiredEvent | LostEvent | IdentifiedEvent | WithdrawnEvent
OrderEventParams = ReturnedEvent | ExtendedEvent | CancelledEvent | SwappedEvent | WithdrawnEvent
EventOfDeviceParams = DeviceRefurbishedEvent | DeviceRetiredEvent | DeviceLostEvent | DeviceIdentifiedEvent | DeviceWithdrawnEvent
EventOfOrderParams = OrderReturnedEvent | OrderExtendedEvent | OrderCancelledEvent | OrderSwappedEvent | OrderWithdrawnEvent
ProductMappings = list[ProductMappingParams]
MessageValue = str | Number | list[str | MessageValueValue] | MessageValueValue


class Operations:
    @answer("POST /api/customer-orders again json")
    def create_order(self, *, body: Body[OrderParams], include: Many[Literal["calculation", "metadata"]] | None = None) -> OrderResponse:
        """Create an order and estimate its emissions."""

    @listing("GET /api/customer-orders again list")
    def list_orders(self, *, search: str | None = None, customer_id: str | None = None, order_id: str | None = None, serial_number: str | None = None, status: Many[Literal["created", "amended", "returned", "cancelled", "reversed"]] | None = None, from_: str | None = None, to: str | None = None, include: Many[Literal["metadata"]] | None = None, sort: Literal["order_id", "-order_id", "order_date", "-order_date", "total_emission", "-total_emission"] | None = None, limit: int | None = None, cursor: str | None = None) -> Pages[OrderSummary, list[OrderSummary]]:
        """List orders."""

    @answer("POST /api/customer-orders/batch again json")
    def create_orders(self, *, body: Body[OrderBatchParams]) -> OrderBatchResponse:
        """Create many orders."""

    @answer("POST /api/events/batch again json")
    def create_events(self, *, body: Body[EventBatchParams]) -> EventBatchResponse:
        """Record many events."""

    @answer("GET /api/customer-orders/{customer_id}/{order_id} again")
    def get_order(self, *, customer_id: Id, order_id: Id, include: Many[Literal["calculation", "metadata", "entries", "events"]] | None = None, known_at: str | None = None) -> OrderState:
        """Get an order."""

    @answer("PUT /api/customer-orders/{customer_id}/{order_id} again json")
    def correct_order(self, *, customer_id: Id, order_id: Id, if_match: str, body: Body[OrderParams], reason: str | None = None, preview: bool | None = None) -> OrderState | EventPreview:
        """Correct the content of an order."""

    @answer("GET /api/customer-orders/{customer_id}/{order_id}/receipt again")
    def get_receipt(self, *, customer_id: Id, order_id: Id, known_at: str | None = None, signed: bool | None = None) -> Receipt:
        """Get the receipt of an order."""

    @answer("GET /api/customer-orders/{customer_id}/{order_id}/verification again")
    def verify_order(self, *, customer_id: Id, order_id: Id, known_at: str | None = None) -> Verification:
        """Verify an order by recomputing it."""

    @answer("GET /api/events again")
    def list_events(self, *, after: str | None = None, limit: int | None = None) -> FeedPage:
        """Read the events of the account."""

    @answer("GET /api/webhooks again")
    def list_webhooks(self) -> list[Webhook]:
        """List webhooks."""

    @answer("POST /api/webhooks json")
    def create_webhook(self, *, body: Body[WebhookParams]) -> WebhookWithSecret:
        """Create a webhook."""

    @answer("GET /api/webhooks/{webhook_id} again")
    def get_webhook(self, *, webhook_id: Id) -> Webhook:
        """Get a webhook."""

    @answer("PATCH /api/webhooks/{webhook_id} again json")
    def change_webhook(self, *, webhook_id: Id, body: Body[WebhookChanges]) -> Webhook:
        """Change a webhook."""

    @answer("DELETE /api/webhooks/{webhook_id} again")
    def delete_webhook(self, *, webhook_id: Id) -> Webhook:
        """Delete a webhook."""

    @answer("POST /api/webhooks/{webhook_id}/rotation")
    def rotate_webhook_secret(self, *, webhook_id: Id) -> WebhookWithSecret:
        """Exchange the secret of a webhook."""

    @answer("POST /api/webhooks/{webhook_id}/test")
    def test_webhook(self, *, webhook_id: Id) -> WebhookDelivery:
        """Send a test to a webhook."""

    @listing("GET /api/webhooks/{webhook_id}/deliveries again list")
    def list_webhook_deliveries(self, *, webhook_id: Id, limit: int | None = None, cursor: str | None = None) -> Pages[WebhookDelivery, list[WebhookDelivery]]:
        """List deliveries of a webhook."""

    @answer("POST /api/webhooks/{webhook_id}/deliveries/{delivery_id}/replay")
    def replay_webhook_delivery(self, *, webhook_id: Id, delivery_id: Id) -> WebhookDelivery:
        """Send a delivery again."""

    @answer("POST /api/customer-orders/{customer_id}/{order_id}/events again json")
    def create_order_event(self, *, customer_id: Id, order_id: Id, body: Body[OrderEventParams], preview: bool | None = None) -> OrderState | EventPreview:
        """Record an event of an order."""

    @answer("POST /api/devices/{serial}/events again json")
    def create_device_event(self, *, serial: Id, body: Body[DeviceEventParams], preview: bool | None = None) -> DeviceOrderEmissionsResponse | EventPreview:
        """Record an event of a device."""

    @listing("GET /api/devices again list")
    def list_devices(self, *, serial_prefix: str | None = None, customer_id: str | None = None, footprint_id: str | None = None, sort: Literal["serial_number", "total_emission", "-total_emission"] | None = None, limit: int | None = None, cursor: str | None = None) -> Pages[ListedDevice, list[ListedDevice]]:
        """List devices."""

    @answer("GET /api/device-emissions/{id} again")
    def get_device_emissions(self, *, id: Id, include: Many[Literal["entries", "history", "events"]] | None = None, allocation: Literal["all"] | None = None, resale_values: Many[Number] | None = None, known_at: str | None = None) -> DeviceOrderEmissionsResponse:
        """Get the emissions of a device."""

    @answer("GET /api/devices/{serial}/passport again")
    def get_device_passport(self, *, serial: Id) -> DevicePassport | Response:
        """Get the passport of a device."""

    @answer("GET /api/devices/{serial}/epcis again")
    def get_device_epcis(self, *, serial: Id) -> EpcisDocument | Response:
        """Export the events of a device as EPCIS 2.0."""

    @answer("POST /api/estimates again json")
    def create_estimate(self, *, body: Body[EstimateParams], include: Many[Literal["calculation", "metadata"]] | None = None) -> EstimateResponse:
        """Estimate an order and its alternatives."""

    @listing("GET /api/products again list")
    def list_products(self, *, state: Many[Literal["unmatched", "variant", "name", "stale", "was_mapped", "mapped"]] | None = None, limit: int | None = None, cursor: str | None = None) -> Pages[ListedProduct, list[ListedProduct]]:
        """List guessed product ids."""

    @answer("PUT /api/products again json")
    def put_product_mappings(self, *, body: Body[ProductMappings]) -> list[ProductMapping]:
        """Map many product ids."""

    @answer("GET /api/product-states again")
    def sum_products(self) -> list[ProductStateSum]:
        """Sum product emissions by state."""

    @answer("PUT /api/products/{product_id} again json")
    def put_product_mapping(self, *, product_id: Id, body: Body[MappingParams]) -> ProductMapping:
        """Map a product id."""

    @answer("GET /api/products/{product_id} again")
    def get_product_mapping(self, *, product_id: Id) -> ProductMapping:
        """Get a product mapping."""

    @answer("DELETE /api/products/{product_id} again")
    def delete_product_mapping(self, *, product_id: Id) -> ProductMapping:
        """Remove a product mapping."""

    @answer("GET /api/match again")
    def match_product(self, *, product_name: str | None = None, brand: str | None = None, device_type: Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"] | None = None, product_id: str | None = None, weight_kg: Number | None = None) -> MatchResult:
        """Match the words of a product."""

    @answer("POST /api/imports file:application/octet-stream")
    def create_import(self, *, body: Upload, kind: Literal["orders", "events"] | None = None, dry_run: bool | None = None, file_name: str | None = None, profile: str | None = None, format: Literal["csv", "xlsx", "jsonl"] | None = None, layout: Literal["items", "orders", "events"] | None = None, encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250"] | None = None, delimiter: Literal["comma", "semicolon", "tab", "pipe"] | None = None, decimal: Literal["point", "comma"] | None = None, dates: Literal["YYYY-MM-DD", "YYYY/MM/DD", "DD.MM.YYYY", "DD/MM/YYYY", "DD-MM-YYYY", "MM/DD/YYYY", "MM-DD-YYYY", "DD.MM.YY", "DD/MM/YY", "DD-MM-YY", "MM/DD/YY", "MM-DD-YY"] | None = None, sheet: str | None = None, columns: str | None = None, header_row: int | None = None, constants: str | None = None, values: str | None = None, register_: str | None = None) -> ImportResponse:
        """Import a file of orders or events."""

    @listing("GET /api/imports again list")
    def list_imports(self, *, limit: int | None = None, cursor: str | None = None) -> Pages[ImportResponse, list[ImportResponse]]:
        """List imports."""

    @answer("GET /api/imports/{import_id} again")
    def get_import(self, *, import_id: Id) -> ImportResponse:
        """Get an import."""

    @answer("DELETE /api/imports/{import_id} again")
    def undo_import(self, *, import_id: Id) -> ImportResponse:
        """Reverse an import."""

    @listing("GET /api/imports/{import_id}/errors again list")
    def list_import_errors(self, *, import_id: Id, limit: int | None = None, cursor: str | None = None) -> Pages[ImportError, list[ImportError]]:
        """List import errors."""

    @answer("GET /api/imports/{import_id}/error-groups again")
    def group_import_errors(self, *, import_id: Id) -> ImportErrorGroups:
        """List import errors grouped by kind."""

    @answer("GET /api/imports/{import_id}/rejected-rows again")
    def get_rejected_rows(self, *, import_id: Id) -> Response:
        """Download the rejected rows."""

    @answer("GET /api/import-templates/{layout} again")
    def get_import_template(self, *, layout: Id) -> Response:
        """Get an import template."""

    @answer("GET /api/import-profiles again")
    def list_import_profiles(self) -> list[ImportProfile]:
        """List import profiles."""

    @answer("GET /api/import-profiles/{name} again")
    def get_import_profile(self, *, name: Id) -> ImportProfile:
        """Get an import profile."""

    @answer("PUT /api/import-profiles/{name} again json")
    def put_import_profile(self, *, name: Id, body: Body[ImportProfileParams]) -> ImportProfile:
        """Keep the settings of a file."""

    @answer("DELETE /api/import-profiles/{name} again")
    def delete_import_profile(self, *, name: Id) -> ImportProfile:
        """Delete an import profile."""

    @answer("GET /api/statements/{customer_id}/{year} again")
    def get_statement(self, *, customer_id: Id, year: Id, consolidation_approach: Literal["operational", "financial"] | None = None, format: Literal["json", "xlsx", "pdf"] | None = None, lang: Literal["en", "de"] | None = None, known_at: str | None = None) -> Statement | Response:
        """Get the yearly statement of a customer."""

    @answer("GET /api/statements/{customer_id}/{year}/orders/{order_id} again")
    def get_order_proof(self, *, customer_id: Id, year: Id, order_id: Id, known_at: str | None = None) -> OrderProof:
        """Prove that an order is in a statement, or is not."""

    @answer("GET /api/impact/{customer_id}/{year} again")
    def get_impact(self, *, customer_id: Id, year: Id, displacement: Number | None = None, displacement_source: str | None = None, rebound: Number | None = None, rebound_source: str | None = None, known_at: str | None = None) -> Impact:
        """Compare the devices of a customer with new ones."""

    @answer("GET /api/data-sources/{customer_id}/{year} again")
    def get_data_sources(self, *, customer_id: Id, year: Id, known_at: str | None = None) -> DataSources:
        """Get what data the emissions of a customer were computed from."""

    @answer("GET /api/statement-key again")
    def get_statement_key(self) -> StatementKey:
        """Get the public key for statements and receipts."""

    @answer("GET /api/statement-key/jwks again")
    def get_statement_key_set(self) -> JwkSet:
        """Get the public keys for statements and receipts as a JWK set."""

    @answer("GET /api/exports/orders again")
    def export_orders(self, *, customer_id: str | None = None, status: Many[Literal["created", "amended", "returned", "cancelled", "reversed"]] | None = None, from_: str | None = None, to: str | None = None, format: Literal["csv", "xlsx", "json"] | None = None) -> ExportOrdersAnswer | Response:
        """Export orders with their items."""

    @answer("GET /api/exports/events again")
    def export_events(self, *, customer_id: str | None = None, from_: str | None = None, to: str | None = None, format: Literal["csv", "xlsx", "json"] | None = None) -> ExportOrdersAnswer | Response:
        """Export events."""

    @answer("GET /api/exports/devices again")
    def export_devices(self, *, customer_id: str | None = None, from_: str | None = None, to: str | None = None, format: Literal["csv", "xlsx", "json"] | None = None) -> ExportOrdersAnswer | Response:
        """Export devices with their balances."""

    @answer("GET /api/exports/entries again")
    def export_entries(self, *, customer_id: str | None = None, from_: str | None = None, to: str | None = None, format: Literal["csv", "xlsx", "json"] | None = None) -> ExportOrdersAnswer | Response:
        """Export ledger entries."""

    @listing("GET /api/keys again list")
    def list_keys(self, *, limit: int | None = None, cursor: str | None = None, active: bool | None = None) -> Pages[ApiKey, list[ApiKey]]:
        """List API keys."""

    @answer("POST /api/keys json")
    def create_key(self, *, body: Body[KeyParams]) -> NewApiKey:
        """Create an API key."""

    @answer("DELETE /api/keys/{key_id} again")
    def revoke_key(self, *, key_id: Id, allow_last_admin: bool | None = None) -> ApiKey:
        """Revoke an API key."""

    @answer("GET /api/account again")
    def get_account(self) -> Account:
        """Get the account."""

    @answer("PUT /api/account again json")
    def put_account(self, *, body: Body[AccountParams]) -> Account:
        """Change the settings of the account."""

    @listing("GET /api/periods again list:closings")
    def get_periods(self, *, limit: int | None = None, cursor: str | None = None) -> Pages[PeriodsClosings, Periods]:
        """Get the closed periods."""

    @answer("POST /api/periods json")
    def close_periods(self, *, body: Body[PeriodParams], preview: bool | None = None) -> Periods | ClosingPreview:
        """Close or reopen the books."""

    @answer("GET /api/periods/corrections again")
    def list_corrected_years(self, *, year: int | None = None, customer_id: str | None = None, limit: int | None = None) -> CorrectedYears:
        """List closed years that were corrected."""

    @listing("GET /api/restatements again list:restatements")
    def list_restatements(self, *, limit: int | None = None, cursor: str | None = None) -> Pages[Restatement, RestatementList]:
        """List restatements."""

    @answer("POST /api/restatements json")
    def create_restatement(self, *, body: Body[RestatementParams]) -> Restatement:
        """Preview a restatement."""

    @answer("GET /api/restatements/{restatement_id} again")
    def get_restatement(self, *, restatement_id: Id) -> Restatement:
        """Get a restatement."""

    @answer("DELETE /api/restatements/{restatement_id} again")
    def delete_restatement(self, *, restatement_id: Id) -> Restatement:
        """Delete a preview."""

    @listing("GET /api/restatements/{restatement_id}/changes again list:orders,years,problems,refused")
    def list_restatement_changes(self, *, restatement_id: Id, of: Literal["orders", "years", "problems", "refused"] | None = None, limit: int | None = None, cursor: str | None = None) -> Pages[RestatementPreviewLargestChanges | RestatementChangesYears | RestatementChangesProblems, RestatementChanges]:
        """List what a restatement changes."""

    @answer("POST /api/restatements/{restatement_id}/apply again json")
    def apply_restatement(self, *, restatement_id: Id, body: Body[RestatementApplication]) -> Restatement:
        """Apply a restatement."""

    @answer("POST /api/customers/{customer_id}/pseudonymise json")
    def pseudonymise_customer(self, *, customer_id: Id, body: Body[ErasureParams], preview: bool | None = None) -> Erasure:
        """Erase the names of a customer."""

    @answer("GET /api/pact-clients again")
    def list_pact_clients(self) -> list[PactClient]:
        """List the OAuth clients of customers."""

    @answer("POST /api/pact-clients json")
    def create_pact_client(self, *, body: Body[PactClientParams]) -> NewPactClient:
        """Create an OAuth client for a customer."""

    @answer("DELETE /api/pact-clients/{client_id} again")
    def revoke_pact_client(self, *, client_id: Id) -> PactClient:
        """Revoke an OAuth client."""

    @answer("GET /api/demo-fleet again")
    def get_demo_fleet(self) -> DemoFleet:
        """Get the demo fleet."""

    @answer("POST /api/demo-fleet")
    def load_demo_fleet(self) -> LoadedDemoFleet:
        """Load the demo fleet."""

    @answer("DELETE /api/demo-fleet again")
    def remove_demo_fleet(self) -> RemovedDemoFleet:
        """Remove the demo fleet."""

    @answer("GET /api/reports/emissions again")
    def report_emissions(self, /, *, group_by: Many[str] | None = None, month: Many[str] | None = None, quarter: Many[str] | None = None, year: Many[str] | None = None, customer: Many[str] | None = None, model: Many[str] | None = None, type: Many[Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone", ""]] | None = None, brand: Many[str] | None = None, country: Many[str] | None = None, part: Many[Literal["product_embodied_emission", "product_use", "packaging", "transportation"]] | None = None, scope: Many[Literal["2", "3"]] | None = None, category: Many[Literal["Electricity", "Category 1: Purchased goods and services", "Category 2: Capital goods", "Category 4: Upstream transportation and distribution", "Category 8: Upstream leased assets", "Category 13: Downstream leased assets"]] | None = None, estimate_type: Many[Literal["estimated", "indicative"]] | None = None, date_basis: Literal["order", "tenure", "dispatch"] | None = None, from_: str | None = None, to: str | None = None, reporting_entity: Literal["lessee", "lessor"] | None = None, consolidation_approach: Literal["operational", "financial"] | None = None, lease_type: Literal["operating", "finance"] | None = None, sort: Literal["name", "-total_emission"] | None = None, limit: int | None = None, format: Literal["csv", "xlsx", "json"] | None = None, **more: Any) -> EmissionsReport | Response:
        """Report emissions of all orders by group."""

    @answer("GET /api/reports/quality again")
    def report_quality(self, *, customer_id: str | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, format: Literal["csv", "xlsx", "json"] | None = None) -> QualityReport | Response:
        """Report data quality and possible improvements."""

    @answer("GET /api/reports/inventories again")
    def report_inventories(self, *, year: int | None = None) -> Inventories:
        """Report the inventories of customers and rental company."""

    @answer("GET /api/reports/electricity again")
    def report_electricity(self, *, year: int | None = None, customer_id: str | None = None) -> ElectricityReport:
        """Report the electricity of rented devices by month."""

    @answer("POST /api/scenarios again json")
    def compute_scenario(self, *, body: Body[ScenarioParams]) -> Scenario:
        """Compute a scenario."""

    @listing("GET /api/device-model-emissions again list")
    def list_device_models(self, *, type: Many[Literal["laptop", "mobile", "tablet", "monitor", "gaming_console", "headphone"]] | None = None, brand: Many[str] | None = None, q: str | None = None, limit: int | None = None, cursor: str | None = None, sort: Literal["product_footprint", "-product_footprint"] | None = None, include: Many[Literal["evidence"]] | None = None) -> Pages[DeviceModel, list[DeviceModel]]:
        """List device models."""

    @answer("GET /api/device-model-emissions/{id} again")
    def get_device_model(self, *, id: Id, include: Many[Literal["evidence"]] | None = None) -> DeviceModel:
        """Get a device model."""

    @answer("GET /api/transportations again")
    def list_transportations(self) -> TransportationList:
        """List transportations."""

    @answer("POST /api/transportations again file:text/csv")
    def import_own_transportations(self, *, body: Upload, new_versions: bool | None = None) -> StoredFigures:
        """Store own factors of freight from a CSV file."""

    @answer("GET /api/packagings again")
    def list_packagings(self) -> PackagingList:
        """List packagings."""

    @answer("POST /api/packagings again file:text/csv")
    def import_own_packagings(self, *, body: Upload, new_versions: bool | None = None) -> StoredFigures:
        """Store own packagings from a CSV file."""

    @answer("GET /api/device-models again")
    def list_own_device_models(self) -> list[OwnDeviceModel]:
        """List own device models."""

    @answer("POST /api/device-models again file:text/csv")
    def import_own_device_models(self, *, body: Upload, new_versions: bool | None = None) -> StoredFigures:
        """Store own device models from a CSV file."""

    @answer("GET /api/device-models/{id} again")
    def get_own_device_model(self, *, id: Id) -> OwnDeviceModel:
        """Get an own device model."""

    @answer("PUT /api/device-models/{id} again json")
    def put_own_device_model(self, *, id: Id, body: Body[OwnDeviceModelParams], if_match: str | None = None) -> OwnDeviceModel:
        """Store an own device model."""

    @answer("DELETE /api/device-models/{id} again")
    def delete_own_device_model(self, *, id: Id, if_match: str | None = None) -> OwnDeviceModel:
        """Withdraw an own device model."""

    @answer("GET /api/own-transportations again")
    def list_own_transportations(self) -> list[OwnTransportation]:
        """List own factors of freight."""

    @answer("GET /api/transportations/{id} again")
    def get_own_transportation(self, *, id: Id) -> OwnTransportation:
        """Get an own factor of freight."""

    @answer("PUT /api/transportations/{id} again json")
    def put_own_transportation(self, *, id: Id, body: Body[OwnTransportationParams], if_match: str | None = None) -> OwnTransportation:
        """Store an own factor of freight."""

    @answer("DELETE /api/transportations/{id} again")
    def delete_own_transportation(self, *, id: Id, if_match: str | None = None) -> OwnTransportation:
        """Withdraw an own factor of freight."""

    @answer("GET /api/own-packagings again")
    def list_own_packagings(self) -> list[OwnPackaging]:
        """List own packagings."""

    @answer("GET /api/packagings/{id} again")
    def get_own_packaging(self, *, id: Id) -> OwnPackaging:
        """Get an own packaging."""

    @answer("PUT /api/packagings/{id} again json")
    def put_own_packaging(self, *, id: Id, body: Body[OwnPackagingParams], if_match: str | None = None) -> OwnPackaging:
        """Store an own packaging."""

    @answer("DELETE /api/packagings/{id} again")
    def delete_own_packaging(self, *, id: Id, if_match: str | None = None) -> OwnPackaging:
        """Withdraw an own packaging."""

    @answer("GET /api/lifetimes again")
    def list_own_lifetimes(self) -> list[OwnLifetime]:
        """List own lifetimes."""

    @answer("POST /api/lifetimes again file:text/csv")
    def import_own_lifetimes(self, *, body: Upload, new_versions: bool | None = None) -> StoredFigures:
        """Store own lifetimes from a CSV file."""

    @answer("GET /api/lifetimes/{id} again")
    def get_own_lifetime(self, *, id: Id) -> OwnLifetime:
        """Get an own lifetime."""

    @answer("PUT /api/lifetimes/{id} again json")
    def put_own_lifetime(self, *, id: Id, body: Body[OwnLifetimeParams], if_match: str | None = None) -> OwnLifetime:
        """Store an own lifetime."""

    @answer("DELETE /api/lifetimes/{id} again")
    def delete_own_lifetime(self, *, id: Id, if_match: str | None = None) -> OwnLifetime:
        """Withdraw an own lifetime."""

    @answer("GET /api/grid-factors again")
    def list_own_grid_factors(self) -> list[OwnGridFactor]:
        """List own grid factors."""

    @answer("POST /api/grid-factors again file:text/csv")
    def import_own_grid_factors(self, *, body: Upload, new_versions: bool | None = None) -> StoredFigures:
        """Store own grid factors from a CSV file."""

    @answer("GET /api/grid-factors/{id} again")
    def get_own_grid_factor(self, *, id: Id) -> OwnGridFactor:
        """Get an own grid factor."""

    @answer("PUT /api/grid-factors/{id} again json")
    def put_own_grid_factor(self, *, id: Id, body: Body[OwnGridFactorParams], if_match: str | None = None) -> OwnGridFactor:
        """Store an own grid factor."""

    @answer("DELETE /api/grid-factors/{id} again")
    def delete_own_grid_factor(self, *, id: Id, if_match: str | None = None) -> OwnGridFactor:
        """Withdraw an own grid factor."""

    @answer("GET /api/grid-months again")
    def list_own_grid_months(self) -> list[OwnGridMonth]:
        """List own grid factors of months."""

    @answer("POST /api/grid-months again file:text/csv")
    def import_own_grid_months(self, *, body: Upload, new_versions: bool | None = None, reason: str | None = None) -> StoredFigures:
        """Store own grid factors of months from a CSV file."""

    @answer("GET /api/grid-months/{id} again")
    def get_own_grid_month(self, *, id: Id) -> OwnGridMonth:
        """Get an own grid factor of a month."""

    @answer("PUT /api/grid-months/{id} again json")
    def put_own_grid_month(self, *, id: Id, body: Body[GridMonthParams], if_match: str | None = None) -> OwnGridMonth:
        """Store an own grid factor of a month."""

    @answer("DELETE /api/grid-months/{id} again")
    def delete_own_grid_month(self, *, id: Id, if_match: str | None = None) -> OwnGridMonth:
        """Withdraw an own grid factor of a month."""

    @answer("GET /api/residual-mixes again")
    def list_own_residual_mix_factors(self) -> list[OwnResidualMixFactor]:
        """List own residual mixes."""

    @answer("POST /api/residual-mixes again file:text/csv")
    def import_own_residual_mix_factors(self, *, body: Upload, new_versions: bool | None = None, reason: str | None = None) -> StoredFigures:
        """Store own residual mixes from a CSV file."""

    @answer("GET /api/residual-mixes/{id} again")
    def get_own_residual_mix_factor(self, *, id: Id) -> OwnResidualMixFactor:
        """Get an own residual mix."""

    @answer("PUT /api/residual-mixes/{id} again json")
    def put_own_residual_mix_factor(self, *, id: Id, body: Body[ResidualMixParams], if_match: str | None = None) -> OwnResidualMixFactor:
        """Store an own residual mix."""

    @answer("DELETE /api/residual-mixes/{id} again")
    def delete_own_residual_mix_factor(self, *, id: Id, if_match: str | None = None) -> OwnResidualMixFactor:
        """Withdraw an own residual mix."""

    @answer("GET /api/grid-losses again")
    def list_own_grid_loss_shares(self) -> list[OwnGridLossShare]:
        """List own shares of grid losses."""

    @answer("POST /api/grid-losses again file:text/csv")
    def import_own_grid_loss_shares(self, *, body: Upload, new_versions: bool | None = None, reason: str | None = None) -> StoredFigures:
        """Store own shares of grid losses from a CSV file."""

    @answer("GET /api/grid-losses/{id} again")
    def get_own_grid_loss_share(self, *, id: Id) -> OwnGridLossShare:
        """Get an own share of grid losses."""

    @answer("PUT /api/grid-losses/{id} again json")
    def put_own_grid_loss_share(self, *, id: Id, body: Body[GridLossParams], if_match: str | None = None) -> OwnGridLossShare:
        """Store an own share of grid losses."""

    @answer("DELETE /api/grid-losses/{id} again")
    def delete_own_grid_loss_share(self, *, id: Id, if_match: str | None = None) -> OwnGridLossShare:
        """Withdraw an own share of grid losses."""

    @answer("GET /api/electricity-instruments again")
    def list_own_instruments(self) -> list[OwnInstrument]:
        """List own electricity instruments."""

    @answer("POST /api/electricity-instruments again file:text/csv")
    def import_own_instruments(self, *, body: Upload, new_versions: bool | None = None) -> StoredFigures:
        """Store own electricity instruments from a CSV file."""

    @answer("GET /api/electricity-instruments/{id} again")
    def get_own_instrument(self, *, id: Id) -> OwnInstrument:
        """Get an own electricity instrument."""

    @answer("PUT /api/electricity-instruments/{id} again json")
    def put_own_instrument(self, *, id: Id, body: Body[InstrumentParams], if_match: str | None = None) -> OwnInstrument:
        """Store an own electricity instrument."""

    @answer("DELETE /api/electricity-instruments/{id} again")
    def delete_own_instrument(self, *, id: Id, if_match: str | None = None) -> OwnInstrument:
        """Withdraw an own electricity instrument."""

    @answer("GET /api/dataset-releases again")
    def list_dataset_releases(self) -> DatasetReleases:
        """List dataset releases."""

    @listing("GET /api/dataset-releases/{release_id}/changes again list:changes")
    def list_release_changes(self, *, release_id: Id, to: str | None = None, kind: Many[Literal["model", "known_device", "type_default", "fallback", "transportation", "distance_adjustment", "packaging", "it_equipment", "grid_factor", "grid_series_factor", "grid_region", "grid_loss", "refurbishment"]] | None = None, limit: int | None = None, cursor: str | None = None) -> Pages[ReleaseChangesChanges, ReleaseChanges]:
        """List figures that differ between two releases."""

    @answer("GET /livez again")
    def get_liveness(self) -> Health:
        """Check whether the process serves requests."""

    @answer("GET /readyz again")
    def get_readiness(self) -> Health:
        """Check whether the service can take orders."""
