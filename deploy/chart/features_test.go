// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

func TestTheImageHasItsParts(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	for _, c := range []struct{ parts, image, policy string }{
		{"registry: r.test:5000/team", "r.test:5000/team/phasewise/canary:" + appVersion, ""},
		{"registry: r.test, repository: canary", "r.test/canary:" + appVersion, ""},
		{`registry: r.test, tag: "1.10"`, "r.test/phasewise/canary:1.10", ""},
		{"registry: r.test, tag: a, digest: '" + digest + "'", "r.test/phasewise/canary@" + digest, ""},
		{"registry: r.test, pullPolicy: Always", "r.test/phasewise/canary:" + appVersion, "Always"},
	} {
		values := strings.Replace(smallestValues, "registry: registry.example.com", c.parts, 1)
		tested := mustTemplate(t, values, to{only: []string{"test.yaml"}})["Pod phasewise-test"].at("spec", "containers", 0).(map[string]any)
		for _, container := range []map[string]any{theCanary(t, values)["container"], tested} {
			if container["image"] != c.image {
				t.Errorf("%s: %v", c.parts, container["image"])
			}
			if policy, _ := container["imagePullPolicy"].(string); policy != c.policy {
				t.Errorf("%s: the policy is %q", c.parts, policy)
			}
		}
	}
}

// passed are fields of Kubernetes that are values of the same name.
const passed = `
nodeSelector: { disk: fast }
tolerations: [ { key: a, operator: Exists, effect: NoSchedule } ]
affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [ { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { a: b } } } ] } }
topologySpreadConstraints: [ { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { a: b } } } ]
priorityClassName: high
runtimeClassName: gvisor
hostAliases: [ { ip: 10.0.0.1, hostnames: [ broker-1.test ] } ]
dnsPolicy: None
dnsConfig: { nameservers: [ 10.0.0.2 ] }
imagePullSecrets: [ { name: registry } ]
initContainers: [ { name: before, image: "a:1" } ]
`

func TestFieldsOfThePodAreValues(t *testing.T) {
	var want map[string]any
	if err := yaml.Unmarshal([]byte(passed), &want); err != nil {
		t.Fatal(err)
	}
	values := over(smallestValues, "canary:"+strings.ReplaceAll(passed, "\n", "\n  "))
	encoded, err := yaml.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	deployment := theCanary(t, string(encoded))["Deployment"]
	known(t, deployment, &apps.Deployment{})
	given := deployment.at("spec", "template", "spec").(map[string]any)
	unasked := theCanary(t, smallestValues)["Deployment"].at("spec", "template", "spec").(map[string]any)
	for field, value := range want {
		if !reflect.DeepEqual(given[field], value) {
			t.Errorf("%s is %v", field, given[field])
		}
		if _, has := unasked[field]; has {
			t.Errorf("%s is there unasked: %v", field, unasked[field])
		}
	}
}

func TestContainersVolumesAndVariablesAreAdded(t *testing.T) {
	deployment := theCanary(t, smallestValues+`
  env: [ { name: A, value: "1" } ]
  envFrom: [ { secretRef: { name: kafka } } ]
  extraVolumes: [ { name: plugins, emptyDir: {} } ]
  extraVolumeMounts: [ { name: plugins, mountPath: /plugins } ]
  extraContainers: [ { name: beside, image: "b:1" } ]
  secretFiles: { /etc/phasewise-ca: kafka-ca }
`)["Deployment"]
	known(t, deployment, &apps.Deployment{})
	if beside := deployment.at("spec", "template", "spec", "containers", 1, "image"); beside != "b:1" {
		t.Errorf("beside the canary is %v", beside)
	}
	container := object(deployment.at("spec", "template", "spec", "containers", 0).(map[string]any))
	if container.at("env", 0, "value") != "1" || container.at("envFrom", 0, "secretRef", "name") != "kafka" {
		t.Errorf("variables: %v, %v", container["env"], container["envFrom"])
	}
	mounted := mounts(deployment)
	if len(mounted) != 4 || mounted["/plugins"]["emptyDir"] == nil || mounted["/etc/phasewise-ca"]["secret"] == nil {
		t.Errorf("mounted are %v", mounted)
	}
}

// With -jar, Java takes no class path from anywhere else.
func TestAClassPathStartsTheCanaryAsItsImageDoes(t *testing.T) {
	dockerfile, err := os.ReadFile("../../canary/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^ENTRYPOINT (\[.*\])$`).FindSubmatch(dockerfile)
	var entrypoint []string
	if err := json.Unmarshal(found[1], &entrypoint); err != nil {
		t.Fatal(err)
	}
	jar := slices.Index(entrypoint, "-jar")
	want := append(append([]string{}, entrypoint[:jar]...), "-cp", entrypoint[jar+1]+":/plugins/*:/more.jar", "io.phasewise.canary.Main")
	container := theCanary(t, smallestValues+"  classPath: [ /plugins/*, /more.jar ]\n")["container"]
	if fmt.Sprint(container["command"]) != fmt.Sprint(want) || container["args"] != nil {
		t.Errorf("started with %v %v, the image with %v", container["command"], container["args"], want)
	}
	if _, err := os.Stat("../../canary/src/main/java/io/phasewise/canary/Main.java"); err != nil {
		t.Error(err)
	}
	container = theCanary(t, smallestValues)["container"]
	if container["command"] != nil || container["args"] != nil {
		t.Errorf("without a class path: %v %v", container["command"], container["args"])
	}
}

func TestLabelsAndAnnotationsReachWhatTheyName(t *testing.T) {
	objects := theCanary(t, smallestValues+`
  labels: { of: deployment }
  annotations: { of: deployment }
  podLabels: { of: pod, app.kubernetes.io/instance: other, app.kubernetes.io/name: other }
  podAnnotations: { of: pod, checksum/config: none }
  service: { labels: { of: service }, annotations: { of: service } }
commonLabels: { team: kafka, app.kubernetes.io/name: other }
`)
	deployment, service := objects["Deployment"], objects["Service"]
	for what, of := range map[string][2]any{
		"deployment": {deployment.at("metadata", "labels", "of"), deployment.at("metadata", "annotations", "of")},
		"pod":        {deployment.at("spec", "template", "metadata", "labels", "of"), deployment.at("spec", "template", "metadata", "annotations", "of")},
		"service":    {service.at("metadata", "labels", "of"), service.at("metadata", "annotations", "of")},
	} {
		if of[0] != what || of[1] != what {
			t.Errorf("%s: label and annotation are %v", what, of)
		}
	}
	for kind, o := range objects {
		if kind != "container" && (o.at("metadata", "labels", "team") != "kafka" || o.at("metadata", "labels", "app.kubernetes.io/name") != "kafka-canary") {
			t.Errorf("%s: labels %v", kind, o.at("metadata", "labels"))
		}
	}
	// What selectors and the roll of the pods need is not to be had otherwise.
	pod := object(deployment.at("spec", "template").(map[string]any))
	labels := pod.at("metadata", "labels").(map[string]any)
	if labels["app.kubernetes.io/name"] != "kafka-canary" || labels["app.kubernetes.io/instance"] != "phasewise" || labels["team"] != "kafka" {
		t.Errorf("the pod's labels are %v", labels)
	}
	if pod.at("metadata", "annotations", "checksum/config") == "none" {
		t.Error("a changed configuration would not roll the pods")
	}
	// The chart's version in a pod would roll it at every upgrade.
	if _, has := labels["helm.sh/chart"]; has {
		t.Errorf("the pod's labels are %v", labels)
	}
	unasked := theCanary(t, smallestValues)
	for _, kind := range []string{"Deployment", "Service", "ServiceAccount"} {
		if _, has := unasked[kind].at("metadata").(map[string]any)["annotations"]; has {
			t.Errorf("%s: annotations unasked", kind)
		}
	}
}

func TestTheServiceAccountIsMadeOrNamed(t *testing.T) {
	for _, c := range []struct {
		account, used string
		made          bool
	}{
		{"{}", "phasewise-canary", true},
		{"{ annotations: { eks.amazonaws.com/role-arn: arn } }", "phasewise-canary", true},
		{"{ name: mine, annotations: { eks.amazonaws.com/role-arn: arn } }", "mine", true},
		{"{ create: false, name: mine }", "mine", false},
		{"{ create: false }", "default", false},
	} {
		objects := theCanary(t, smallestValues+"  serviceAccount: "+c.account+"\n")
		if used := objects["Deployment"].at("spec", "template", "spec", "serviceAccountName"); used != c.used {
			t.Errorf("%s: the pod is %v", c.account, used)
		}
		account := objects["ServiceAccount"]
		if (account != nil) != c.made {
			t.Errorf("%s: made: %v", c.account, account != nil)
		}
		if account == nil {
			continue
		}
		annotations, _ := account.at("metadata").(map[string]any)["annotations"].(map[string]any)
		if account.at("metadata", "name") != c.used || (len(annotations) == 1) != strings.Contains(c.account, "arn") || account["automountServiceAccountToken"] != false {
			t.Errorf("%s: %v", c.account, account)
		}
	}
}

// OpenShift gives the user, and refuses one that is not of its range.
func TestAUserCanBeLeftOut(t *testing.T) {
	values := smallestValues + "  podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null }\n  securityContext: { readOnlyRootFilesystem: false }\n"
	pods := []object{theCanary(t, values)["Deployment"].at("spec", "template").(map[string]any), mustTemplate(t, values, to{only: []string{"test.yaml"}})["Pod phasewise-test"]}
	for _, pod := range pods {
		context := fmt.Sprint(pod.at("spec", "securityContext"))
		if context != "map[runAsNonRoot:true seccompProfile:map[type:RuntimeDefault]]" {
			t.Errorf("the pod's context is %s", context)
		}
		inside := object(pod.at("spec", "containers", 0, "securityContext").(map[string]any))
		if inside["readOnlyRootFilesystem"] != false || inside["allowPrivilegeEscalation"] != false || inside.at("capabilities", "drop", 0) != "ALL" {
			t.Errorf("the container's context is %v", inside)
		}
	}
	if user := theCanary(t, smallestValues)["Deployment"].at("spec", "template", "spec", "securityContext", "runAsUser"); user != 10001.0 {
		t.Errorf("without a word the user is %v", user)
	}
}

func TestAStrategyTakesThePlaceOfTheChartsOwn(t *testing.T) {
	strategy := func(values string) string {
		return fmt.Sprint(theCanary(t, values)["Deployment"].at("spec", "strategy"))
	}
	// With what is left of a rolling update the API server refuses it.
	if got := strategy(smallestValues + "  strategy: { type: Recreate }\n"); got != "map[type:Recreate]" {
		t.Error(got)
	}
	if got := strategy(smallestValues); got != "map[rollingUpdate:map[maxSurge:1 maxUnavailable:0] type:RollingUpdate]" {
		t.Error(got)
	}
}

func TestPolicyAndBudgetCanBeSwitchedOffAndAddedTo(t *testing.T) {
	off := theCanary(t, smallestValues+"  networkPolicy: { enabled: false }\n  podDisruptionBudget: { enabled: false }\n")
	if off["NetworkPolicy"] != nil || off["PodDisruptionBudget"] != nil {
		t.Errorf("switched off, and there: %v", off)
	}
	const rules = `
  networkPolicy:
    ingress: [ { from: [ { podSelector: { matchLabels: { a: b } } } ], ports: [ { port: metrics } ] } ]
    egress: [ { to: [ { ipBlock: { cidr: 169.254.169.254/32 } } ], ports: [ { port: 80 } ] } ]
  podDisruptionBudget: { maxUnavailable: 50% }
`
	on, plain := theCanary(t, smallestValues+rules), theCanary(t, smallestValues)
	known(t, on["NetworkPolicy"], &networking.NetworkPolicy{})
	known(t, on["PodDisruptionBudget"], &policy.PodDisruptionBudget{})
	for _, way := range []string{"ingress", "egress"} {
		more, before := on["NetworkPolicy"].at("spec", way).([]any), plain["NetworkPolicy"].at("spec", way).([]any)
		if len(more) != len(before)+1 || !reflect.DeepEqual(more[:len(before)], before) {
			t.Errorf("%s: %v", way, more)
		}
	}
	if share := on["PodDisruptionBudget"].at("spec", "maxUnavailable"); share != "50%" || plain["PodDisruptionBudget"].at("spec", "maxUnavailable") != 1.0 {
		t.Errorf("unavailable may be %v", share)
	}
}

func TestMoreObjectsAreInstalled(t *testing.T) {
	only := to{only: []string{"extra.yaml"}}
	objects := mustTemplate(t, smallestValues+`
extraObjects:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: "{{ .Release.Name }}-more" } }
  - |
    apiVersion: v1
    kind: Secret
    metadata: { name: {{ .Release.Namespace }}-text }
`, only)
	if len(objects) != 2 || objects["ConfigMap phasewise-more"] == nil || objects["Secret phasewise-text"] == nil {
		t.Errorf("installed are %v", objects)
	}
	if objects := mustTemplate(t, smallestValues, only); len(objects) != 0 {
		t.Errorf("unasked: %v", objects)
	}
}

func TestNamesBeginWithTheReleases(t *testing.T) {
	long := strings.Repeat("a", 53)
	for _, c := range []struct{ release, values, begins string }{
		{"phasewise", "", "phasewise"},
		{"my-phasewise", "", "my-phasewise"},
		{"prod", "", "prod-phasewise"},
		{"prod", "nameOverride: latency\n", "prod-latency"},
		{"latency", "nameOverride: latency\n", "latency"},
		{"prod", "fullnameOverride: kafka\n", "kafka"},
		{long, "", long[:50]},
	} {
		where := to{release: c.release, only: []string{"canary.yaml", "test.yaml", "strimzi.yaml"}}
		for name, o := range mustTemplate(t, smallestValues+c.values, where) {
			if got := o.at("metadata", "name").(string); !strings.HasPrefix(got, c.begins+"-") || len(got) > 63 {
				t.Errorf("release %s, %q: %s", c.release, c.values, name)
			}
			// The job of the canary's series, whatever the release is called.
			if label := o.at("metadata", "labels", "app.kubernetes.io/name"); label != "kafka-canary" && o["kind"] != "Pod" {
				t.Errorf("release %s: %s is %v", c.release, name, label)
			}
		}
	}
}

// installed is what several releases make of a cluster: every object by kind, namespace and name, of which there is one.
type installed map[string]object

func (all installed) add(t *testing.T, values string, where to) {
	t.Helper()
	where.apis = []string{operator}
	for name, o := range mustTemplate(t, values, where) {
		in, _ := o.at("metadata").(map[string]any)["namespace"].(string)
		place := fmt.Sprint(in, " ", name)
		if all[place] != nil {
			t.Errorf("two releases have %s", place)
		}
		all[place] = o
	}
}

func (all installed) of(kind string) map[string]object {
	some := map[string]object{}
	for place, o := range all {
		if o["kind"] == kind {
			some[place] = o
		}
	}
	return some
}

func forGrafana(o object) bool {
	labels, _ := o.at("metadata").(map[string]any)["labels"].(map[string]any)
	return labels["grafana_dashboard"] != nil
}

func selects(selector any, labels any) bool {
	has, _ := labels.(map[string]any)
	for key, value := range selector.(map[string]any) {
		if has[key] != value {
			return false
		}
	}
	return true
}

// scrapes are how many ServiceMonitors find each Service.
func (all installed) scrapes() map[string]int {
	times := map[string]int{}
	for place, service := range all.of("Service") {
		times[place] = 0
		for _, monitor := range all.of("ServiceMonitor") {
			inNamespace := monitor.at("metadata", "namespace") == service.at("metadata", "namespace")
			if selector, has := monitor.at("spec").(map[string]any)["namespaceSelector"].(map[string]any); has {
				names, _ := selector["matchNames"].([]any)
				inNamespace = selector["any"] == true || slices.Contains(names, service.at("metadata", "namespace"))
			}
			if inNamespace && selects(monitor.at("spec", "selector", "matchLabels"), service.at("metadata", "labels")) {
				times[place]++
			}
		}
	}
	return times
}

func TestTwoReleasesStandSideBySide(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "## Two releases\n")
	// What the page gives the second release.
	second := smallestValues + regexp.MustCompile("(?s)```yaml\n(.*?)```").FindStringSubmatch(section)[1]
	const strimziOf = "strimzi: { cluster: %s }\n"
	exporters := "monitoring: { rules: { enabled: false }, dashboards: { enabled: false } }\n"
	for name, c := range map[string]struct {
		a, b             string
		inA, inB         to
		rules, exporters int
	}{
		"one namespace":                 {smallestValues, second, to{release: "one"}, to{release: "two"}, 1, 1},
		"two namespaces, one name":      {smallestValues, second, to{namespace: "one"}, to{namespace: "two"}, 1, 1},
		"a Kafka of Strimzi for each":   {smallestValues + fmt.Sprintf(strimziOf, "a"), smallestValues + exporters + fmt.Sprintf(strimziOf, "b"), to{release: "one"}, to{release: "two"}, 1, 2},
		"the second without its switch": {smallestValues, smallestValues, to{release: "one"}, to{release: "two"}, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			all := installed{}
			all.add(t, c.a, c.inA)
			all.add(t, c.b, c.inB)
			services := 2
			for place, times := range all.scrapes() {
				if times != 1 {
					t.Errorf("%s is scraped %d times", place, times)
				}
				services--
			}
			if strimzi := c.exporters == 2 && c.rules == 1; services != 0 && !(strimzi && services == -4) {
				t.Errorf("%d services are missing", services)
			}
			rules, brokers, dashboards := 0, 0, 0
			for place, o := range all {
				switch {
				case o.is("PrometheusRule", "") && strings.HasSuffix(place, "-native"):
					rules++
				case o.is("ServiceMonitor", "") && strings.HasSuffix(place, "-broker"):
					brokers++
				case forGrafana(o) && strings.HasSuffix(place, "-kafka-fleet"):
					dashboards++
				}
			}
			if rules != c.rules || brokers != c.exporters || dashboards != c.rules {
				t.Errorf("%d sets of rules, %d jobs of brokers, %d sets of dashboards", rules, brokers, dashboards)
			}
			for place, deployment := range all.of("Deployment") {
				labels := deployment.at("spec", "template", "metadata", "labels")
				for _, kind := range []string{"Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"} {
					found := 0
					for _, o := range all.of(kind) {
						if o.at("metadata", "namespace") != deployment.at("metadata", "namespace") || strings.Contains(fmt.Sprint(o.at("metadata", "name")), "exporter") {
							continue
						}
						selector := o.at("spec").(map[string]any)["selector"]
						if kind == "NetworkPolicy" {
							selector = o.at("spec", "podSelector")
						}
						if inner, has := selector.(map[string]any)["matchLabels"]; has {
							selector = inner
						}
						if selects(selector, labels) {
							found++
						}
					}
					if found != 1 {
						t.Errorf("the pods of %s are selected by %d of %s", place, found, kind)
					}
				}
			}
		})
	}
}

func TestExportersAreLookedForWhereOneIsTold(t *testing.T) {
	for values, want := range map[string]string{
		"":                             "map[matchNames:[phasewise]] map[app.kubernetes.io/name:kafka-broker]",
		"strimzi: { cluster: prod }\n": "map[matchNames:[kafka]] map[app.kubernetes.io/name:kafka-broker phasewise.io/cluster:prod]",
		"monitoring: { scrape: { exporters: { namespaceSelector: { any: true } } } }\n":                     "map[any:true] map[app.kubernetes.io/name:kafka-broker]",
		"monitoring: { scrape: { exporters: { matchLabels: { site: a } } } }\nstrimzi: { cluster: prod }\n": "map[matchNames:[kafka]] map[app.kubernetes.io/name:kafka-broker site:a]",
	} {
		spec := object(monitors(t, smallestValues+values)["ServiceMonitor phasewise-broker"].at("spec").(map[string]any))
		if got := fmt.Sprint(spec["namespaceSelector"], spec.at("selector", "matchLabels")); got != want {
			t.Errorf("%q: %s", values, got)
		}
	}
}

func TestEachPartOfTheMonitoringHasItsSwitch(t *testing.T) {
	count := func(values string) string {
		rules, jobs, dashboards := 0, 0, 0
		for _, o := range mustTemplate(t, values, to{apis: []string{operator}}) {
			switch {
			case o["kind"] == "PrometheusRule":
				rules++
			case o["kind"] == "ServiceMonitor":
				jobs++
			case forGrafana(o):
				dashboards++
			}
		}
		return fmt.Sprint(rules, " ", jobs, " ", min(dashboards, 1))
	}
	for values, want := range map[string]string{
		"": "2 3 1",
		"monitoring: { rules: { enabled: false } }\n":                 "0 3 1",
		"monitoring: { scrape: { canary: { enabled: false } } }\n":    "2 2 1",
		"monitoring: { scrape: { exporters: { enabled: false } } }\n": "2 1 1",
		"monitoring: { dashboards: { enabled: false } }\n":            "2 3 0",
		"monitoring: { enabled: false }\n":                            "0 0 0",
	} {
		if got := count(smallestValues + values); got != want {
			t.Errorf("%q: rules, jobs, dashboards: %s", values, got)
		}
	}
}

func TestDashboardsGoWhereOneIsTold(t *testing.T) {
	only := to{only: []string{"dashboards.yaml"}}
	dashboards := mustTemplate(t, smallestValues+`
monitoring: { dashboards: { namespace: grafana, labels: { grafana_dashboard: null, dashboards: mine }, annotations: { grafana_folder: Kafka } } }
`, only)
	if len(dashboards) < 5 {
		t.Fatalf("%d dashboards", len(dashboards))
	}
	for name, o := range dashboards {
		labels := o.at("metadata", "labels").(map[string]any)
		_, before := labels["grafana_dashboard"]
		if o.at("metadata", "namespace") != "grafana" || o.at("metadata", "annotations", "grafana_folder") != "Kafka" || labels["dashboards"] != "mine" || before {
			t.Errorf("%s: %v", name, o["metadata"])
		}
	}
	for name, o := range mustTemplate(t, smallestValues, only) {
		if o.at("metadata", "namespace") != "phasewise" || o.at("metadata", "annotations", "grafana_folder") != "Phasewise" || o.at("metadata", "labels", "grafana_dashboard") != "1" {
			t.Errorf("%s: %v", name, o["metadata"])
		}
	}
}

// rulesOf are the rules of a form, typed.
func rulesOf(t *testing.T, values, form string) monitoringv1.PrometheusRuleSpec {
	t.Helper()
	o := monitors(t, smallestValues+values)["PrometheusRule phasewise-"+form]
	known(t, o, &monitoringv1.PrometheusRule{})
	encoded, err := yaml.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var rules monitoringv1.PrometheusRule
	if err := yaml.Unmarshal(encoded, &rules); err != nil {
		t.Fatal(err)
	}
	return rules.Spec
}

func TestAlertsAreSwitchedOffByName(t *testing.T) {
	all := rulesOf(t, "", "native")
	alerts := func(rules monitoringv1.PrometheusRuleSpec) (names []string) {
		for _, group := range rules.Groups {
			if len(group.Rules) == 0 {
				t.Errorf("%s has no rules", group.Name)
			}
			for _, rule := range group.Rules {
				if rule.Alert != "" {
					names = append(names, rule.Alert)
				}
			}
		}
		return names
	}
	// One that is there twice, and all of a group.
	off := []string{"SLOFastBurn"}
	for _, group := range all.Groups {
		if group.Name == "kafka-monitoring-alerts" {
			for _, rule := range group.Rules {
				if rule.Alert == "" {
					t.Fatalf("%s records: it is no example of a group that is left out", group.Name)
				}
				off = append(off, rule.Alert)
			}
		}
	}
	before := alerts(all)
	if len(off) < 3 || len(before) < 30 || !slices.Contains(before, "SLOFastBurn") {
		t.Fatalf("%d of %d alerts", len(off), len(before))
	}
	left := rulesOf(t, "monitoring: { rules: { disabled: ["+strings.Join(off, ", ")+"] } }\n", "native")
	after := alerts(left)
	var want []string
	for _, name := range before {
		if !slices.Contains(off, name) {
			want = append(want, name)
		}
	}
	if !slices.Equal(after, want) {
		t.Errorf("left are %v, want %v", after, want)
	}
	if len(left.Groups) != len(all.Groups)-1 {
		t.Errorf("%d groups of %d are left", len(left.Groups), len(all.Groups))
	}
}

// The generator with other settings, and the chart with other values, say the same in every place.
func TestThresholdsAreThoseOfTheGenerator(t *testing.T) {
	content, err := os.ReadFile("../../prometheus/settings.yml")
	if err != nil {
		t.Fatal(err)
	}
	var settings map[string]any
	if err := yaml.Unmarshal(content, &settings); err != nil {
		t.Fatal(err)
	}
	thresholds := settings["thresholds"].(map[string]any)
	changed := map[string]any{}
	i := 0.0
	for name, value := range thresholds {
		i++
		changed[name] = value.(float64)*3 + i/64
	}
	settings["thresholds"] = changed
	files, err := generated("..", settings)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(changed)
	if err != nil {
		t.Fatal(err)
	}
	for i, form := range []string{"native", "classic"} {
		var want monitoringv1.PrometheusRule
		if err := yaml.Unmarshal(files[i], &want); err != nil {
			t.Fatal(err)
		}
		got := rulesOf(t, "monitoring: { histograms: "+form+", rules: { thresholds: "+string(encoded)+" } }\n", form)
		if !reflect.DeepEqual(got, want.Spec) {
			g, _ := yaml.Marshal(got)
			w, _ := yaml.Marshal(want.Spec)
			t.Errorf("%s: %s", form, firstDifference(string(g), string(w)))
		}
		if reflect.DeepEqual(got, rulesOf(t, "monitoring: { histograms: "+form+" }\n", form)) {
			t.Errorf("%s: other thresholds change nothing", form)
		}
	}
}

func TestFieldsOfPrometheusGiveWay(t *testing.T) {
	of := func(values string) map[string]object {
		return mustTemplate(t, smallestValues+values, to{only: []string{"prometheus.yaml"}})
	}
	changed, plain := of(`
prometheus:
  create: true
  spec: { retention: 90d, scrapeNativeHistograms: false, resources: { requests: { cpu: 2 } } }
  alertmanagerSpec: { replicas: 1 }
`), of("prometheus: { create: true }\n")
	known(t, changed["Prometheus kafka"], &monitoringv1.Prometheus{})
	spec, before := changed["Prometheus kafka"]["spec"].(map[string]any), plain["Prometheus kafka"]["spec"].(map[string]any)
	if spec["retention"] != "90d" || spec["scrapeNativeHistograms"] != false || fmt.Sprint(spec["resources"]) != "map[requests:map[cpu:2]]" || changed["Alertmanager kafka"].at("spec", "replicas") != 1.0 {
		t.Errorf("%v", spec)
	}
	for _, field := range []string{"retention", "scrapeNativeHistograms", "resources"} {
		if reflect.DeepEqual(spec[field], before[field]) {
			t.Errorf("%s was %v before", field, before[field])
		}
		delete(spec, field)
		delete(before, field)
	}
	if !reflect.DeepEqual(spec, before) {
		t.Errorf("more has changed: %v", spec)
	}
	if len(of("")) != 0 {
		t.Error("a Prometheus unasked")
	}
}

// The test's pod asks until probes come back, and says why they do not.
func TestHelmTestWaitsForProbes(t *testing.T) {
	only := to{only: []string{"test.yaml"}}
	pod := mustTemplate(t, smallestValues+"    http: { port: 8080 }\n", only)["Pod phasewise-test"]
	known(t, pod, &core.Pod{})
	if pod.at("metadata", "annotations", "helm.sh/hook") != "test" {
		t.Errorf("annotations %v", pod.at("metadata", "annotations"))
	}
	let := theCanary(t, smallestValues)["NetworkPolicy"].at("spec", "ingress", 0, "from").([]any)[1].(map[string]any)
	if !selects(object(let).at("podSelector", "matchLabels"), pod.at("metadata", "labels")) {
		t.Errorf("the policy lets in %v", let)
	}
	const host, want = "phasewise-canary.phasewise.svc", "not yet: connecting\nnot yet: topic\nprobes come back from every leader\n"
	script := pod.at("spec", "containers", 0, "args", 0).(string)
	if !strings.Contains(script, "host="+host+"\n") || !strings.Contains(script, "port=8080\n") {
		t.Errorf("asked is another one: %s", script)
	}

	// Not ready three times, with two reasons.
	asked := 0
	canary := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch {
		case r.URL.Path != "/-/ready":
			http.NotFound(w, r)
		case asked == 1:
			http.Error(w, "connecting", http.StatusServiceUnavailable)
		case asked < 4:
			http.Error(w, "topic", http.StatusServiceUnavailable)
		}
	}))
	defer canary.Close()
	_, port, _ := strings.Cut(canary.Listener.Addr().String(), ":")
	here := strings.NewReplacer("host="+host, "host=127.0.0.1", "port=8080", "port="+port)
	if said := runScript(t, here.Replace(script), ""); said != want {
		t.Errorf("%s", said)
	}

	const tls = "    http: { tls: { certificate: /c, key: /k%s } }\n"
	secured := mustTemplate(t, smallestValues+fmt.Sprintf(tls, ""), only)["Pod phasewise-test"]
	said := runScript(t, secured.at("spec", "containers", 0, "args", 0).(string), `#!/bin/bash
[[ "$*" == *" https://`+host+`:9470/-/ready" ]] || { echo "asked $*"; exit 22; }
echo >> "$0.asked"
case $(wc -l < "$0.asked") in 1) echo connecting; exit 22;; 2|3) echo topic; exit 22;; esac
`)
	if said != want {
		t.Errorf("with TLS: %s", said)
	}
	// Nobody gets in without a certificate.
	if objects := mustTemplate(t, smallestValues+fmt.Sprintf(tls, ", client-ca: /a"), only); len(objects) != 0 {
		t.Errorf("with certificates of clients: %v", objects)
	}
}

// runScript has the script find this curl, where one is given, and no time to sleep.
func runScript(t *testing.T, script, curl string) string {
	t.Helper()
	programs := t.TempDir()
	for name, content := range map[string]string{"curl": curl, "sleep": "#!/bin/bash\n"} {
		if content != "" {
			if err := os.WriteFile(filepath.Join(programs, name), []byte(content), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	limit, end := context.WithTimeout(context.Background(), 5*time.Minute)
	defer end()
	run := exec.CommandContext(limit, "sh", "-c", script)
	run.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"))
	said, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("%v", err)
	}
	return string(said)
}

// every value of the chart, by its keys: what rowsOf makes rows of.
func rowsOfReadme(t *testing.T) map[string][2]string {
	t.Helper()
	files, err := once()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][2]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.*?) \\| (.*) \\|$").FindAllStringSubmatch(string(files["README.md"]), -1) {
		rows[row[1]] = [2]string{row[2], row[3]}
	}
	return rows
}

func TestTheReadmeHasEveryValueWithItsDefaultAndWhatItIs(t *testing.T) {
	files, err := once()
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := yaml.Unmarshal(files["values.yaml"], &values); err != nil {
		t.Fatal(err)
	}
	rows := rowsOfReadme(t)
	var visit func(prefix string, value any)
	visit = func(prefix string, value any) {
		if row, has := rows[prefix]; has && row[0] != "" {
			encoded, _ := json.Marshal(value)
			if row[0] != "`"+string(encoded)+"`" {
				t.Errorf("%s is %s, in the table %s", prefix, encoded, row[0])
			}
			if len(row[1]) < 8 || row[1] == asAbove && !strings.Contains(prefix, ".thresholds.") {
				t.Errorf("%s: nothing is said about it: %q", prefix, row[1])
			}
			return
		}
		inner, isMap := value.(map[string]any)
		if !isMap || len(inner) == 0 {
			t.Errorf("%s is not in the table", prefix)
		}
		for key, each := range inner {
			visit(strings.TrimPrefix(prefix+"."+key, "."), each)
		}
	}
	visit("", values)
	if len(rows) < 70 {
		t.Errorf("%d rows", len(rows))
	}
}

// Below every key but those that hold structures of others.
func TestAMisspeltKeyIsRefused(t *testing.T) {
	tried := 0
	for name := range rowsOfReadme(t) {
		keys := strings.Split(name, ".")
		keys[len(keys)-1] += "x"
		misspelt := over(smallestValues, "{}")
		at := misspelt
		for _, key := range keys[:len(keys)-1] {
			if at[key] == nil {
				at[key] = map[string]any{}
			}
			at = at[key].(map[string]any)
		}
		at[keys[len(keys)-1]] = "a"
		encoded, err := yaml.Marshal(misspelt)
		if err != nil {
			t.Fatal(err)
		}
		tried++
		if _, err := helmTemplate(t, string(encoded), to{only: []string{}}); err == nil || !strings.Contains(err.Error(), keys[len(keys)-1]) {
			t.Errorf("%s: %v", strings.Join(keys, "."), err)
		}
	}
	if tried < 70 {
		t.Errorf("%d keys", tried)
	}
}

func TestTheChartSaysWhatItIs(t *testing.T) {
	files, err := once()
	if err != nil {
		t.Fatal(err)
	}
	var chart struct {
		Home, KubeVersion, AppVersion string
		Sources, Keywords             []string
		Maintainers                   []map[string]string
		Annotations                   map[string]string
	}
	if err := yaml.Unmarshal(files["Chart.yaml"], &chart); err != nil {
		t.Fatal(err)
	}
	if chart.Home == "" || chart.KubeVersion == "" || len(chart.Sources) == 0 || len(chart.Keywords) == 0 || len(chart.Maintainers) == 0 || chart.Annotations["artifacthub.io/license"] != "Apache-2.0" {
		t.Errorf("%+v", chart)
	}
	pom, err := os.ReadFile("../../pom.xml")
	if err != nil {
		t.Fatal(err)
	}
	if version := regexp.MustCompile(`<artifactId>phasewise</artifactId>\s*<version>(.+)<`).FindSubmatch(pom); string(version[1]) != chart.AppVersion {
		t.Errorf("the chart's application is %s, the project %s", chart.AppVersion, version[1])
	}
}

// What cannot be changed in an object that is there: `helm upgrade` would fail. Selectors of Deployments were by the name alone before they were by the release.
func TestAnUpgradeChangesNothingThatCannotBeChanged(t *testing.T) {
	before := map[string]string{
		"Deployment kafka-canary":                 "map[app.kubernetes.io/name:kafka-canary]",
		"ClusterRoleBinding phasewise-prometheus": "phasewise-prometheus",
		"Service kafka-canary":                    "None",
	}
	cannotChange := func(o object) string {
		switch o["kind"] {
		case "Deployment":
			return fmt.Sprint(o.at("spec", "selector", "matchLabels"))
		case "ClusterRoleBinding":
			return fmt.Sprint(o.at("roleRef", "name"))
		case "Service":
			return fmt.Sprint(o.at("spec", "clusterIP"))
		}
		return ""
	}
	changed := func(values string) (names []string) {
		for name, o := range mustTemplate(t, smallestValues+"prometheus: { create: true }\n"+values, to{only: []string{"canary.yaml", "prometheus.yaml"}}) {
			if was, same := before[name]; same && was != cannotChange(o) {
				names = append(names, name)
			}
		}
		return names
	}
	if names := changed(""); len(names) > 0 {
		t.Errorf("cannot be changed: %v", names)
	}
	// As the chart's README says.
	if names := changed("fullnameOverride: kafka\n"); !slices.Equal(names, []string{"Deployment kafka-canary"}) {
		t.Errorf("with the old names cannot be changed: %v", names)
	}
}
