// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	apps "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

// likeProduction are the values that say what the production overlay says: its own configuration, and what its patch mounts.
func likeProduction(t *testing.T) string {
	t.Helper()
	config, err := os.ReadFile("../examples/production/canary.yml")
	if err != nil {
		t.Fatal(err)
	}
	return "canary:\n  config:" + strings.ReplaceAll(strings.TrimPrefix(string(config), "canary:"), "\n", "\n  ") + `
  image: { registry: registry.example.com }
  env: [{ name: KAFKA_PASSWORD, valueFrom: { secretKeyRef: { name: kafka-canary, key: password } } }]
  secretFiles: { /etc/phasewise-ca: kafka-ca }
prometheus: { create: true }
`
}

// once is the chart: to make it takes seconds.
var once = sync.OnceValues(func() (map[string][]byte, error) { return chart("..") })

// version and appVersion are those of Chart.yaml.
var version, appVersion = func() (string, string) {
	content, err := os.ReadFile("Chart.yaml")
	if err != nil {
		panic(err)
	}
	var is struct{ Version, AppVersion string }
	if err := yaml.Unmarshal(content, &is); err != nil {
		panic(err)
	}
	return is.Version, is.AppVersion
}()

// to is where and how a chart is rendered.
type to struct {
	release, namespace string
	// apis are those that the cluster knows besides Kubernetes' own.
	apis []string
	// only are the templates that are rendered; all unless some are named. Dashboards and rules take seconds.
	only []string
}

// helmTemplate is what `helm template` makes of the chart.
func helmTemplate(t *testing.T, values string, where to) (map[string]object, error) {
	t.Helper()
	rendered, err := helmRender(t, values, where)
	if err != nil {
		return nil, err
	}
	objects := map[string]object{}
	for file, content := range rendered {
		if strings.HasSuffix(file, "NOTES.txt") {
			continue
		}
		for _, document := range regexp.MustCompile(`(?m)^---$`).Split(content, -1) {
			var o object
			if err := yaml.UnmarshalStrict([]byte(document), &o); err != nil {
				t.Fatalf("%s: %v\n%s", file, err, document)
			}
			if len(o) > 0 {
				if objects[key(o)] != nil {
					t.Errorf("%s is there twice", key(o))
				}
				objects[key(o)] = o
			}
		}
	}
	return objects, nil
}

// helmRender is the text of every template, by file.
func helmRender(t *testing.T, values string, where to) (map[string]string, error) {
	t.Helper()
	files, err := once()
	if err != nil {
		t.Fatal(err)
	}
	var packed []*archive.BufferedFile
	for name, content := range files {
		template := strings.TrimPrefix(name, "templates/")
		if where.only == nil || template == name || strings.HasPrefix(template, "_") || slices.Contains(where.only, template) {
			packed = append(packed, &archive.BufferedFile{Name: name, Data: content})
		}
	}
	loaded, err := loader.LoadFiles(packed)
	if err != nil {
		t.Fatal(err)
	}
	var given map[string]any
	if err := yaml.UnmarshalStrict([]byte(values), &given); err != nil {
		t.Fatalf("%v\n%s", err, values)
	}
	release := common.ReleaseOptions{Name: "phasewise", Namespace: "phasewise", IsInstall: true}
	if where.release != "" {
		release.Name = where.release
	}
	if where.namespace != "" {
		release.Namespace = where.namespace
	}
	cluster := common.DefaultCapabilities.Copy()
	cluster.APIVersions = append(cluster.APIVersions, where.apis...)
	complete, err := util.ToRenderValues(loaded, given, release, cluster)
	if err != nil {
		return nil, err
	}
	return engine.Render(loaded, complete)
}

func key(o object) string { return fmt.Sprint(o["kind"], " ", o.at("metadata", "name")) }

// mounts are the pod's volumes, by the path in the container.
func mounts(deployment object) map[string]map[string]any {
	byName := map[any]map[string]any{}
	for _, volume := range deployment.at("spec", "template", "spec", "volumes").([]any) {
		byName[volume.(map[string]any)["name"]] = volume.(map[string]any)
	}
	byPath := map[string]map[string]any{}
	for _, mount := range deployment.at("spec", "template", "spec", "containers", 0, "volumeMounts").([]any) {
		byPath[mount.(map[string]any)["mountPath"].(string)] = byName[mount.(map[string]any)["name"]]
	}
	return byPath
}

// comparable takes off what the two ways say differently by design: how a change of the configuration rolls the pods, the names and the order of
// volumes, and the configuration's comments.
func comparable(t *testing.T, o object) object {
	t.Helper()
	switch {
	case o.is("ConfigMap", "phasewise-canary"):
		var config map[string]any
		if err := yaml.Unmarshal([]byte(o.at("data", "canary.yml").(string)), &config); err != nil {
			t.Fatal(err)
		}
		o.set(config, "data")
	case o.is("Deployment", "phasewise-canary"):
		delete(o.at("spec", "template", "metadata").(map[string]any), "annotations")
		mounted := map[string]any{}
		for path, volume := range mounts(o) {
			delete(volume, "name")
			if volume["configMap"] != nil {
				volume["configMap"] = "the configuration"
			}
			mounted[path] = volume
		}
		o.set(mounted, "spec", "template", "spec", "volumes")
		for _, mount := range o.at("spec", "template", "spec", "containers", 0, "volumeMounts").([]any) {
			mounted[mount.(map[string]any)["mountPath"].(string)].(map[string]any)["readOnly"] = mount.(map[string]any)["readOnly"]
		}
		delete(o.at("spec", "template", "spec", "containers", 0).(map[string]any), "volumeMounts")
	case o.is("Secret", "phasewise-alertmanager"):
		data := map[string]any{}
		for name, encoded := range o.at("data").(map[string]any) {
			decoded, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(encoded.(string), "\n", ""))
			if err != nil {
				t.Fatal(err)
			}
			data[name] = string(decoded)
		}
		o.set(data, "data")
	}
	return o
}

// charted are the names of the overlay's objects in the chart, for a release `phasewise` in a namespace `phasewise`.
func charted(o object) string {
	name := o.at("metadata", "name").(string)
	switch {
	case o.is("ConfigMap", "kafka-canary"), name == "kafka-canary":
		return "phasewise-canary"
	case name == "kafka-broker":
		return "phasewise-broker"
	case name == "kafka-controller":
		return "phasewise-controller"
	case o["kind"] == "ClusterRole", o["kind"] == "ClusterRoleBinding":
		return "phasewise-prometheus-phasewise"
	case name == "prometheus":
		return "phasewise-prometheus"
	case name == "alertmanager":
		return "phasewise-alertmanager"
	}
	return name
}

// asReleased says in an object of the overlay what a release adds to it: names, labels, and selectors by the release.
func asReleased(o object) object {
	byRelease := func(keys ...any) { o.set("phasewise", append(keys, "app.kubernetes.io/instance")...) }
	name := charted(o)
	if labels, has := o.at("metadata").(map[string]any)["labels"]; !has || labels == nil {
		o.set(map[string]any{}, "metadata", "labels")
	}
	for label, value := range map[string]string{"app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/version": appVersion, "helm.sh/chart": "phasewise-" + version, "app.kubernetes.io/instance": "phasewise"} {
		o.set(value, "metadata", "labels", label)
	}
	switch o["kind"] {
	case "Deployment":
		byRelease("spec", "selector", "matchLabels")
		byRelease("spec", "template", "metadata", "labels")
		o.set(name, "spec", "template", "spec", "serviceAccountName")
	case "Service":
		byRelease("spec", "selector")
	case "PodDisruptionBudget":
		byRelease("spec", "selector", "matchLabels")
	case "NetworkPolicy":
		byRelease("spec", "podSelector", "matchLabels")
		test := map[string]any{"app.kubernetes.io/name": "kafka-canary-test", "app.kubernetes.io/instance": "phasewise"}
		o.set(append(o.at("spec", "ingress", 0, "from").([]any), map[string]any{"podSelector": map[string]any{"matchLabels": test}}), "spec", "ingress", 0, "from")
	case "ServiceMonitor":
		if !ofPrometheus(o) {
			o.set(map[string]any{"matchNames": []any{"phasewise"}}, "spec", "namespaceSelector")
		}
		if name == "phasewise-canary" {
			byRelease("spec", "selector", "matchLabels")
		}
	case "Prometheus":
		o.set("phasewise-prometheus", "spec", "serviceAccountName")
	case "ClusterRoleBinding":
		o.set(name, "roleRef", "name")
		o.set("phasewise-prometheus", "subjects", 0, "name")
	}
	o.set(name, "metadata", "name")
	return o
}

func TestTheChartIsTheProductionOverlayObjectByObject(t *testing.T) {
	inChart, err := helmTemplate(t, likeProduction(t), to{})
	if err != nil {
		t.Fatal(err)
	}
	delete(inChart, "Pod phasewise-test") // that of `helm test`
	overlay, err := render("../examples/production")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range overlay {
		if want["kind"] == "Namespace" {
			continue // helm install --create-namespace
		}
		want = asReleased(again(t, want))
		got, found := inChart[key(want)]
		if !found {
			t.Errorf("the chart has no %s", key(want))
			continue
		}
		delete(inChart, key(want))
		got, want = comparable(t, again(t, got)), comparable(t, want)
		if !reflect.DeepEqual(got, want) {
			g, _ := yaml.Marshal(got)
			w, _ := yaml.Marshal(want)
			t.Errorf("%s differs:\n%s", key(want), firstDifference(string(g), string(w)))
		}
	}
	for name := range inChart {
		t.Errorf("only the chart has %s", name)
	}
}

// again is the object as read from its text: numbers are then of one type.
func again(t *testing.T, o object) object {
	t.Helper()
	text, err := yaml.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var read object
	if err := yaml.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func firstDifference(chart, overlay string) string {
	a, b := strings.Split(chart, "\n"), strings.Split(overlay, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\nchart:   %s\noverlay: %s", i+1, a[i], b[i])
		}
	}
	return "one is longer"
}

func TestValuesReachWhatTheyName(t *testing.T) {
	objects, err := helmTemplate(t, likeProduction(t)+`
monitoring: { labels: { release: mine }, scrapeInterval: 30s, scrapeTimeout: 10s, links: { runbooks: "https://wiki.test", grafana: "https://grafana.test" } }
strimzi: { cluster: orders, namespace: streams }
`, to{})
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range objects {
		if o["kind"] == "ServiceMonitor" || o["kind"] == "PrometheusRule" {
			if o.at("metadata", "labels", "release") != "mine" {
				t.Errorf("%s has no label", name)
			}
		}
	}
	for _, name := range []string{"canary", "broker", "controller"} {
		endpoint := objects["ServiceMonitor phasewise-"+name].at("spec", "endpoints", 0).(map[string]any)
		if endpoint["interval"] != "30s" || endpoint["scrapeTimeout"] != "10s" {
			t.Errorf("%s: %v", name, endpoint)
		}
	}
	links := objects["PrometheusRule phasewise-links"].at("spec", "groups", 0, "rules", 0, "labels").(map[string]any)
	if links["runbooks"] != "https://wiki.test" || links["grafana"] != "https://grafana.test" {
		t.Errorf("links: %v", links)
	}
	service := objects["Service orders-kafka-exporter"]
	if service.at("metadata", "namespace") != "streams" || service.at("spec", "selector", "strimzi.io/cluster") != "orders" {
		t.Errorf("strimzi: %v", service)
	}
}

func TestAConfigurationChangedRollsThePods(t *testing.T) {
	sum := func(values string) any {
		return theCanary(t, values)["Deployment"].at("spec", "template", "metadata", "annotations", "checksum/config")
	}
	if sum(likeProduction(t)) == sum(strings.Replace(likeProduction(t), "9094", "9093", 1)) {
		t.Error("another port, the same checksum")
	}
	if sum(likeProduction(t)) != sum(likeProduction(t)+"commonLabels: { a: b }\n") {
		t.Error("the same configuration, another checksum")
	}
}

func TestWrongValuesAreRefused(t *testing.T) {
	image := func(parts string) string {
		return strings.Replace(smallestValues, "registry: registry.example.com", parts, 1)
	}
	for values, want := range map[string]string{
		"{}": "/canary/config/clusters",
		smallestValues[:strings.Index(smallestValues, "  config")] + "  config: {}": "/canary/config/clusters",
		image("tag: a"): "/canary/image/registry",
		strings.Replace(smallestValues, "{ registry: registry.example.com }", "registry/a:1", 1):         "/canary/image",
		smallestValues + "    http: { port: 0 }\n":                                                       "port",
		smallestValues + "    http: { host: localhost }\n":                                               "host",
		smallestValues + "  secretFiles: { /tmp: a }\n":                                                  "/tmp",
		smallestValues + "  secretFiles: { /etc/phasewise/: a }\n":                                       "/etc/phasewise/",
		smallestValues + "  secretFiles: { ca: a }\n":                                                    "ca",
		smallestValues + "  classPath: [ a.jar ]\n":                                                      "/canary/classPath",
		smallestValues + "  nodeSelector: { a: 1 }\n":                                                    "/canary/nodeSelector/a",
		smallestValues + "monitoring: { enabled: yes please }\n":                                         "enabled",
		smallestValues + "monitoring: { histograms: none }\n":                                            "histograms",
		smallestValues + "monitoring: { rules: { disabled: [ GcPause ] } }\n":                            "/monitoring/rules/disabled",
		smallestValues + "monitoring: { rules: { thresholds: { gc_ratio: 0 } } }\n":                      "gc_ratio",
		smallestValues + "monitoring: { scrape: { exporters: { namespaceSelector: { all: true } } } }\n": "namespaceSelector",
		"canary: { image: { registry: a }, config: { clusters: { prod: {} } } }":                         "bootstrap-servers",
		likeProduction(t) + "monitoring: { scrapeInterval: 30 }":                                         "scrapeInterval",
		image("registry: https://a"):                                                                     "registry",
		image("registry: a/"):                                                                            "registry",
		image("registry: a, tag: 1.10"):                                                                  "tag",
		image("registry: a, digest: sha256:12"):                                                          "digest",
		image("registry: a, pullPolicy: Sometimes"):                                                      "pullPolicy",
	} {
		if _, err := helmTemplate(t, values, to{only: []string{"canary.yaml"}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", values, err)
		}
	}
}

// smallestValues are those that the page on deployment gives as the least.
const smallestValues = `
canary:
  image: { registry: registry.example.com }
  config:
    clusters: { prod: { bootstrap-servers: "kafka.example.com:9092" } }
`

const operator = "monitoring.coreos.com/v1"

func mustTemplate(t *testing.T, values string, where to) map[string]object {
	t.Helper()
	objects, err := helmTemplate(t, values, where)
	if err != nil {
		t.Fatalf("%s: %v", values, err)
	}
	return objects
}

// theCanary are the canary's objects by their kind, and the container.
func theCanary(t *testing.T, values string) map[string]object {
	t.Helper()
	byKind := map[string]object{}
	for _, o := range mustTemplate(t, values, to{only: []string{"canary.yaml"}}) {
		byKind[o["kind"].(string)] = o
	}
	byKind["container"] = byKind["Deployment"].at("spec", "template", "spec", "containers", 0).(map[string]any)
	return byKind
}

// monitors are the release's ServiceMonitors and rules by their names.
func monitors(t *testing.T, values string) map[string]object {
	t.Helper()
	return mustTemplate(t, values, to{apis: []string{operator}, only: []string{"monitoring.yaml"}})
}

func TestTheSmallestValuesStart(t *testing.T) {
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	least := regexp.MustCompile("(?s)```yaml\n(canary:.*?)```").FindSubmatch(page)
	if image := theCanary(t, string(least[1]))["container"]["image"]; image != "registry.example.com/phasewise/canary:"+appVersion {
		t.Errorf("the image is %v", image)
	}
	defaults, err := os.ReadFile("values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var set map[string]any
	if err := yaml.Unmarshal(defaults, &set); err != nil {
		t.Fatal(err)
	}
	if registry := object(set).at("canary", "image", "registry"); registry != "" {
		t.Errorf("the default is an image that nobody can pull: %v", registry)
	}
}

// What pages show is rendered as it stands, on top of the smallest values.
func TestTheValuesInThePagesAreTaken(t *testing.T) {
	shown := 0
	for _, page := range []string{"README.md", "../README.md", "../../docs/how-to/security.md", "../../docs/how-to/msk.md", "../../docs/how-to/kube-prometheus-stack.md"} {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range regexp.MustCompile("(?s)```yaml\n((?:canary:\n  (?:config|image|classPath|networkPolicy):|canary: \\{|monitoring:).*?)```").FindAllSubmatch(content, -1) {
			shown++
			merged, err := yaml.Marshal(over(smallestValues, string(block[1])))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := helmTemplate(t, string(merged), to{apis: []string{operator}, only: []string{"canary.yaml", "monitoring.yaml"}}); err != nil {
				t.Errorf("%s: %v\n%s", page, err, block[1])
			}
		}
	}
	if shown < 10 {
		t.Errorf("only %d blocks of values", shown)
	}
}

// over has the values of the second text win.
func over(below, above string) map[string]any {
	var a, b map[string]any
	if err := errors.Join(yaml.Unmarshal([]byte(below), &a), yaml.Unmarshal([]byte(above), &b)); err != nil {
		panic(err)
	}
	return util.CoalesceTables(b, a)
}

// Without the operator's definitions the API server refuses its resources, and with them the whole release.
func TestTheOperatorsResourcesAreForAClusterThatKnowsThem(t *testing.T) {
	operated := func(objects map[string]object) (custom, dashboards int) {
		for _, o := range objects {
			if o["apiVersion"] == operator {
				custom++
			}
			if forGrafana(o) {
				dashboards++
			}
		}
		return
	}
	for _, c := range []struct {
		values string
		apis   []string
		want   bool
	}{
		{smallestValues, nil, false},
		{smallestValues, []string{operator}, true},
		{smallestValues + "monitoring: { enabled: true }\n", nil, true},
		{smallestValues + "monitoring: { enabled: false }\n", []string{operator}, false},
		{smallestValues + "prometheus: { create: true }\n", nil, true},
	} {
		objects := mustTemplate(t, c.values, to{apis: c.apis})
		custom, dashboards := operated(objects)
		if got := objects["ServiceMonitor phasewise-canary"] != nil; got != c.want || c.want != (custom > 0) {
			t.Errorf("%s %v: %d of the operator's resources", c.values, c.apis, custom)
		}
		if (dashboards > 0) == strings.Contains(c.values, "enabled: false") {
			t.Errorf("%s: %d dashboards", c.values, dashboards)
		}
		rendered, err := helmRender(t, c.values, to{apis: c.apis, only: []string{"NOTES.txt"}})
		if err != nil {
			t.Fatal(err)
		}
		notes := rendered["phasewise/templates/NOTES.txt"]
		if strings.Contains(notes, "Nothing scrapes it") == c.want || !strings.Contains(notes, "port-forward deployment/phasewise-canary 9470") || !strings.Contains(notes, "helm test phasewise -n phasewise") {
			t.Errorf("%s %v: the notes say\n%s", c.values, c.apis, notes)
		}
	}
}

func TestTheRulesAreNativeOrClassicNeverBoth(t *testing.T) {
	for _, histograms := range []string{"native", "classic"} {
		objects := monitors(t, smallestValues+"monitoring: { histograms: "+histograms+", labels: { release: mine } }\n")
		for _, name := range []string{"native", "classic"} {
			if rule := objects["PrometheusRule phasewise-"+name]; (rule != nil) != (name == histograms) {
				t.Errorf("histograms: %s, and the rules phasewise-%s: %v", histograms, name, rule != nil)
			} else if rule != nil && rule.at("metadata", "labels", "release") != "mine" {
				t.Errorf("phasewise-%s: labels %v", name, rule.at("metadata", "labels"))
			}
		}
	}
}

func TestThePortReachesEverythingThatNamesIt(t *testing.T) {
	const values = smallestValues + "    http: { port: 8080 }\n"
	objects := theCanary(t, values)
	named := objects["container"].at("ports", 0).(map[string]any)
	if named["containerPort"] != 8080.0 || named["name"] != "metrics" {
		t.Errorf("the container's port: %v", named)
	}
	if port := objects["Service"].at("spec", "ports", 0).(map[string]any); port["port"] != 8080.0 || port["targetPort"] != "metrics" {
		t.Errorf("the Service's port: %v", port)
	}
	for _, probe := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
		if port := objects["container"].at(probe, "httpGet", "port"); port != "metrics" {
			t.Errorf("%s asks port %v", probe, port)
		}
	}
	if port := objects["NetworkPolicy"].at("spec", "ingress", 0, "ports", 0, "port"); port != "metrics" {
		t.Errorf("let in: port %v", port)
	}
	if port := monitors(t, values)["ServiceMonitor phasewise-canary"].at("spec", "endpoints", 0, "port"); port != "metrics" {
		t.Errorf("scraped: port %v", port)
	}
}

func TestTLSAndPasswordsReachProbesAndPrometheus(t *testing.T) {
	const (
		tls       = "    http: { tls: { certificate: /etc/c/tls.crt, key: /etc/c/tls.key } }\n"
		clients   = "    http: { tls: { certificate: /etc/c/tls.crt, key: /etc/c/tls.key, client-ca: /etc/c/ca.crt } }\n"
		password  = "    http: { basic-auth: { username: prometheus, password-file: /etc/c/password } }\n"
		tlsConfig = "tlsConfig: { serverName: kafka-canary, ca: { secret: { name: http, key: ca.crt } } }"
		basicAuth = "basicAuth: { username: { name: http, key: user }, password: { name: http, key: password } }"
	)
	for _, c := range []struct {
		http, scrape string
		probe        string
		scheme       any
		refused      string
	}{
		{"", "", `{"path":"/-/healthy","port":"metrics"}`, nil, ""},
		{tls, tlsConfig, `{"path":"/-/healthy","port":"metrics","scheme":"HTTPS"}`, "https", ""},
		{clients, tlsConfig, `{"port":"metrics"}`, "https", ""},
		{password, basicAuth, `{"path":"/-/healthy","port":"metrics"}`, nil, ""},
		{tls, "", "", nil, "monitoring.scrape.canary.tlsConfig is needed"},
		{password, "", "", nil, "monitoring.scrape.canary.basicAuth is needed"},
		{"", basicAuth, "", nil, "canary.config.http.basic-auth is needed"},
		{"", tlsConfig, "", nil, "canary.config.http.tls is needed"},
	} {
		values := smallestValues + c.http + "monitoring: { scrape: { canary: { " + c.scrape + " } } }\n"
		objects, err := helmTemplate(t, values, to{apis: []string{operator}, only: []string{"canary.yaml", "monitoring.yaml"}})
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v", values, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", values, err)
			continue
		}
		known(t, objects["ServiceMonitor phasewise-canary"], &monitoringv1.ServiceMonitor{})
		known(t, objects["Deployment phasewise-canary"], &apps.Deployment{})
		container := objects["Deployment phasewise-canary"].at("spec", "template", "spec", "containers", 0).(map[string]any)
		for _, probe := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
			asks := container[probe].(map[string]any)
			way := asks["httpGet"]
			if way == nil {
				way = asks["tcpSocket"]
			}
			if encoded, _ := json.Marshal(way); string(encoded) != c.probe {
				t.Errorf("%s: %s is %s", c.http, probe, encoded)
			}
		}
		endpoint := objects["ServiceMonitor phasewise-canary"].at("spec", "endpoints", 0).(map[string]any)
		var want map[string]any
		if err := yaml.Unmarshal([]byte("{ "+c.scrape+" }"), &want); err != nil {
			t.Fatal(err)
		}
		if endpoint["scheme"] != c.scheme || !reflect.DeepEqual(endpoint["tlsConfig"], want["tlsConfig"]) || !reflect.DeepEqual(endpoint["basicAuth"], want["basicAuth"]) {
			t.Errorf("%s: scraped with %v", c.http, endpoint)
		}
		if len(endpoint) != len(map[string]any{"port": 0, "interval": 0, "scrapeTimeout": 0, "relabelings": 0})+len(want)+countOf(c.scheme) {
			t.Errorf("%s: scraped with %v", c.http, endpoint)
		}
	}
	endpoint := monitors(t, smallestValues+"monitoring: { scrape: { exporters: { "+tlsConfig+", "+basicAuth+" } } }\n")["ServiceMonitor phasewise-broker"].at("spec", "endpoints", 0).(map[string]any)
	if endpoint["scheme"] != "https" || endpoint["tlsConfig"] == nil || endpoint["basicAuth"] == nil {
		t.Errorf("exporters are scraped with %v", endpoint)
	}
}

// known fails where the object has a field that its type does not know.
func known(t *testing.T, o object, as any) {
	t.Helper()
	encoded, err := yaml.Marshal(o)
	if err == nil {
		err = yaml.UnmarshalStrict(encoded, as)
	}
	if err != nil {
		t.Errorf("%v: %v", key(o), err)
	}
}

func countOf(value any) int {
	if value == nil {
		return 0
	}
	return 1
}

// A volume's name is at most 63 characters of a small alphabet, and there is one of a name; a Secret's may be longer and hold dots.
func TestSecretsWithAnyNamesAreMounted(t *testing.T) {
	long := strings.Repeat("a-very-long-name.", 12) + "end"
	deployment := theCanary(t, smallestValues+"  secretFiles: { /a: one, /b: one, /c: tmp, /d: configuration, /e: with.dots.in-it, /f: "+long+", /etc/phasewise/secrets: one }\n")["Deployment"]
	names := map[any]bool{}
	for _, volume := range deployment.at("spec", "template", "spec", "volumes").([]any) {
		name := volume.(map[string]any)["name"].(string)
		if names[name] || !regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`).MatchString(name) {
			t.Errorf("a volume is named %s", name)
		}
		names[name] = true
	}
	mounted := mounts(deployment)
	for path, secret := range map[string]string{"/a": "one", "/b": "one", "/c": "tmp", "/d": "configuration", "/e": "with.dots.in-it", "/f": long, "/etc/phasewise/secrets": "one"} {
		if got := object(mounted[path]).at("secret", "secretName"); got != secret {
			t.Errorf("%s has %v", path, got)
		}
	}
	if mounted["/tmp"]["emptyDir"] == nil || mounted["/etc/phasewise"]["configMap"] == nil {
		t.Errorf("mounted are %v", mounted)
	}
}

// letOutBesides are the ports that only the configuration opens: those after DNS, Kafka and the exporters with HTTPS.
func letOutBesides(t *testing.T, values string) string {
	t.Helper()
	var ports []string
	for _, rule := range theCanary(t, values)["NetworkPolicy"].at("spec", "egress").([]any)[3:] {
		ports = append(ports, fmt.Sprint(object(rule.(map[string]any)).at("ports", 0, "port")))
	}
	return strings.Join(ports, " ")
}

func TestThePortsThatTheConfigurationNamesAreLetOut(t *testing.T) {
	if got := letOutBesides(t, smallestValues); got != "" {
		t.Errorf("let out besides: %s", got)
	}
	if got := letOutBesides(t, `
canary:
  image: { registry: a }
  egressPorts: [ 8443, 19092 ]
  config:
    traces: { endpoint: "http://collector:4318/v1/traces" }
    clusters:
      a: { bootstrap-servers: "k1:19092, k2:19093,k3:9092", exporters: { port: 7072 } }
      b: { bootstrap-servers: "[fd00::2]:30000", exporters: { addresses: { 1: "[fd00::3]:7073", 2: "h:7071" } } }
`); got != "8443 19092 7072 4318 19093 30000 7073" {
		t.Errorf("let out besides: %s", got)
	}
}

// A trace goes to port 80 where its address has none.
func TestThePortsOfTracesAreLetOut(t *testing.T) {
	const oneCluster = `clusters: { a: { bootstrap-servers: "k:9092" } }`
	for _, c := range []struct{ name, config, want string }{
		{"http", `traces: { endpoint: "http://collector/v1/traces" }, ` + oneCluster, "80"},
		{"http, an address of numbers", `traces: { endpoint: "http://[fd00::2]/v1/traces" }, ` + oneCluster, "80"},
		{"http with a port", `traces: { endpoint: "http://[fd00::2]:4318/v1/traces?a=b:1" }, ` + oneCluster, "4318"},
		{"https", `traces: { endpoint: "https://collector/v1/traces" }, ` + oneCluster, ""},
		{"https with a port", `traces: { endpoint: "https://collector:4319" }, ` + oneCluster, "4319"},
		// What a variable holds is not known here: canary.egressPorts.
		{"variables", `traces: { endpoint: "http://${COLLECTOR}/v1/traces" }, clusters: { a: { bootstrap-servers: "${KAFKA}:${PORT}" } }`, ""},
		{"a variable and a port", `traces: { endpoint: "http://${COLLECTOR}:4318/v1/traces" }, clusters: { a: { bootstrap-servers: "${KAFKA}:19092" } }`, "4318 19092"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := letOutBesides(t, "canary: { image: { registry: a }, config: { "+strings.ReplaceAll(c.config, "\t", " ")+" } }"); got != c.want {
				t.Errorf("let out besides: %q, want %q", got, c.want)
			}
		})
	}
}

// Helm keeps a release in one Secret, which may have 1 MiB: the templates and what they make, packed twice.
func TestAReleaseFitsIntoASecret(t *testing.T) {
	files, err := once()
	if err != nil {
		t.Fatal(err)
	}
	rendered, err := helmRender(t, smallestValues, to{apis: []string{operator}})
	if err != nil {
		t.Fatal(err)
	}
	release, err := json.Marshal(map[string]any{"chart": files, "manifest": rendered})
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	zipped, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if _, err := zipped.Write(release); err != nil {
		t.Fatal(err)
	}
	zipped.Close()
	if size := base64.StdEncoding.EncodedLen(packed.Len()); size > 900_000 {
		t.Errorf("a release is %d bytes", size)
	} else {
		t.Logf("a release is %d bytes", size)
	}
}
