// Rules and dashboards for whoever builds monitoring with jsonnet (0.18 or newer), and for the list of mixins: the files of this
// repository as they are, with nothing made here.
//   jsonnet -S -e 'std.manifestYamlDoc((import "deploy/mixin/mixin.libsonnet").prometheusRules)'
local alerts = [
  importstr '../../prometheus/rules/kafka-broker-alerts.yml',
  importstr '../../prometheus/rules/kafka-canary-alerts.yml',
  importstr '../../prometheus/rules/monitoring.yml',
];
local recorded = [
  importstr '../../prometheus/rules/kafka-broker-saturation.yml',
  importstr '../../prometheus/rules/kafka-broker.yml',
  importstr '../../prometheus/rules/kafka-canary-baseline.yml',
  importstr '../../prometheus/rules/kafka-canary-slo.yml',
  importstr '../../prometheus/rules/kafka-canary-excess.yml',
  importstr '../../prometheus/rules/kafka-suspect.yml',
];
// For a Prometheus with native histograms (3.8 or newer), and for an older one: take one of the two.
local native = importstr '../../prometheus/rules/native/kafka-canary.yml';
local classic = importstr '../../prometheus/rules/classic/kafka-canary.yml';

local groups(files) = { groups: std.flatMap(function(file) std.parseYaml(file).groups, files) };

{
  _config:: { nativeHistograms: true },
  prometheusAlerts+:: groups(alerts),
  prometheusRules+:: groups(recorded + [if $._config.nativeHistograms then native else classic]),
  grafanaDashboards+:: {
    'kafka-capacity.json': import '../../dashboards/generated/kafka-capacity.json',
    'kafka-clients.json': import '../../dashboards/generated/kafka-clients.json',
    'kafka-fleet.json': import '../../dashboards/generated/kafka-fleet.json',
    'kafka-host-jvm.json': import '../../dashboards/generated/kafka-host-jvm.json',
    'kafka-kraft.json': import '../../dashboards/generated/kafka-kraft.json',
    'kafka-latency-overview.json': import '../../dashboards/generated/kafka-latency-overview.json',
    'kafka-phase-drill-down.json': import '../../dashboards/generated/kafka-phase-drill-down.json',
    'kafka-replication.json': import '../../dashboards/generated/kafka-replication.json',
    'kafka-request-anatomy.json': import '../../dashboards/generated/kafka-request-anatomy.json',
    'kafka-sites.json': import '../../dashboards/generated/kafka-sites.json',
    'kafka-tiered-storage.json': import '../../dashboards/generated/kafka-tiered-storage.json',
  },
}
