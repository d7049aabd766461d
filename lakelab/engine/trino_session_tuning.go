package engine

import (
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// tuning are session properties that tune how a cluster runs queries, with their types and what they are by default. They mean nothing to
// DuckDB: they are kept, checked by their types, and shown.
const tuning = `
adaptive_partial_aggregation_enabled boolean true
adaptive_partial_aggregation_unique_rows_ratio_threshold double 0.8
aggregation_operator_unspill_memory_limit varchar 4MB
collect_plan_statistics_for_all_queries boolean false
colocated_join boolean true
columnar_filter_evaluation_enabled boolean true
default_filter_factor_enabled boolean false
determine_partition_count_for_write_enabled boolean false
dictionary_aggregation boolean false
distributed_sort boolean true
dynamic_row_filtering_selectivity_threshold double 0.7
enable_dynamic_row_filtering boolean true
enable_intermediate_aggregations boolean false
enable_large_dynamic_filters boolean true
enable_stats_calculator boolean true
exchange_compression_codec varchar NONE
execution_policy varchar phased
fault_tolerant_execution_adaptive_join_reordering_enabled boolean true
fault_tolerant_execution_adaptive_query_planning_enabled boolean true
filter_and_project_min_output_page_row_count integer 256
filter_and_project_min_output_page_size varchar 500kB
filter_conjunction_independence_factor double 0.75
force_spilling_join boolean false
hide_inaccessible_columns boolean false
ignore_downstream_preferences boolean false
incremental_hash_array_load_factor_enabled boolean true
initial_splits_per_node integer 4
iterative_optimizer_timeout varchar 3.00m
join_multi_clause_independence_factor double 0.25
join_partitioned_build_min_row_count bigint 1000000
mark_distinct_strategy varchar
max_drivers_per_task integer
max_partial_top_n_memory varchar 16MB
max_reordered_joins integer 8
max_tasks_waiting_for_execution_per_query integer 10
max_tasks_waiting_for_node_per_query integer 50
max_unacknowledged_splits_per_task integer 2000
max_writer_task_count integer 100
merge_project_with_values boolean true
min_hash_partition_count integer 4
min_hash_partition_count_for_write integer 50
min_input_rows_per_task bigint 10000000
min_input_size_per_task varchar 5GB
non_estimatable_predicate_approximation_enabled boolean true
omit_datetime_type_precision boolean false
optimize_duplicate_insensitive_joins boolean true
optimize_metadata_queries boolean false
optimize_top_n_ranking boolean true
pre_aggregate_case_aggregations_enabled boolean true
predicate_pushdown_use_table_properties boolean true
prefer_partial_aggregation boolean true
prefer_streaming_operators boolean false
push_filter_into_values_max_row_count integer 100
push_table_write_through_union boolean true
query_max_scan_physical_bytes varchar
query_retry_attempts integer 4
remote_task_adaptive_update_request_size_enabled boolean true
remote_task_guaranteed_splits_per_request integer 3
remote_task_max_request_size varchar 8MB
remote_task_request_size_headroom varchar 2MB
required_workers_count integer 1
required_workers_max_wait_time varchar 5.00m
resource_overcommit boolean false
retry_delay_scale_factor double 2.0
retry_initial_delay varchar 10.00s
retry_max_delay varchar 1.00m
rewrite_filtering_semi_join_to_inner_join boolean true
skip_redundant_sort boolean true
spatial_join boolean true
spatial_partitioning_table_name varchar
split_concurrency_adjustment_interval varchar 100.00ms
statistics_cpu_timer_enabled boolean true
statistics_precalculation_for_pushdown_enabled boolean true
table_scan_node_partitioning_min_bucket_to_task_ratio double 0.5
task_retry_attempts_per_task integer 4
task_scale_writers_enabled boolean true
task_share_index_loading boolean false
use_cost_based_partitioning boolean true
use_exact_partitioning boolean false
use_legacy_window_filter_pushdown boolean false
use_preferred_write_partitioning boolean true
use_table_scan_node_partitioning boolean true
writer_scaling_min_data_processed varchar 120MB
`

func init() {
	kinds := map[string]types.Kind{"varchar": types.String, "integer": types.Int, "bigint": types.Long, "boolean": types.Boolean, "double": types.Double}
	for line := range strings.Lines(strings.TrimSpace(tuning)) {
		f := append(strings.Fields(line), "")
		doc := strings.ReplaceAll(f[0], "_", " ")
		sessionProperties[f[0]] = sessionProperty{kind: kinds[f[1]], value: f[2], doc: strings.ToUpper(doc[:1]) + doc[1:]}
	}
}
