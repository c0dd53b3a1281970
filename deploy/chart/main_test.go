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
  image: registry.example.com/phasewise/canary:0.2.0-SNAPSHOT
  env: [{ name: KAFKA_PASSWORD, valueFrom: { secretKeyRef: { name: kafka-canary, key: password } } }]
  secretFiles: { /etc/phasewise-ca: kafka-ca }
prometheus: { create: true }
`
}

// once is the chart: to make it takes seconds.
var once = sync.OnceValues(func() (map[string][]byte, error) { return chart("..") })

// helmTemplate is what `helm template` makes of the chart, for a cluster that knows these APIs besides Kubernetes' own.
func helmTemplate(t *testing.T, values string, apis ...string) (map[string]object, error) {
	t.Helper()
	rendered, err := helmRender(t, values, apis...)
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
			if err := yaml.Unmarshal([]byte(document), &o); err != nil {
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
func helmRender(t *testing.T, values string, apis ...string) (map[string]string, error) {
	t.Helper()
	files, err := once()
	if err != nil {
		t.Fatal(err)
	}
	var packed []*archive.BufferedFile
	for name, content := range files {
		packed = append(packed, &archive.BufferedFile{Name: name, Data: content})
	}
	loaded, err := loader.LoadFiles(packed)
	if err != nil {
		t.Fatal(err)
	}
	var given map[string]any
	if err := yaml.Unmarshal([]byte(values), &given); err != nil {
		t.Fatal(err)
	}
	release := common.ReleaseOptions{Name: "phasewise", Namespace: "phasewise", IsInstall: true}
	cluster := common.DefaultCapabilities.Copy()
	cluster.APIVersions = append(cluster.APIVersions, apis...)
	complete, err := util.ToRenderValues(loaded, given, release, cluster)
	if err != nil {
		return nil, err
	}
	return engine.Render(loaded, complete)
}

func key(o object) string {
	name := o.at("metadata", "name").(string)
	if o.is("ConfigMap", "kafka-canary") {
		name = "kafka-canary"
	}
	return fmt.Sprint(o["kind"], " ", name)
}

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
	case o.is("ConfigMap", "kafka-canary"):
		var config map[string]any
		if err := yaml.Unmarshal([]byte(o.at("data", "canary.yml").(string)), &config); err != nil {
			t.Fatal(err)
		}
		return object{"data": config}
	case o.is("Deployment", "kafka-canary"):
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

func TestTheChartIsTheProductionOverlayObjectByObject(t *testing.T) {
	charted, err := helmTemplate(t, likeProduction(t))
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := render("../examples/production")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range overlay {
		if want["kind"] == "Namespace" {
			continue // helm install --create-namespace
		}
		got, found := charted[key(want)]
		if !found {
			t.Errorf("the chart has no %s", key(want))
			continue
		}
		delete(charted, key(want))
		got, want = comparable(t, again(t, got)), comparable(t, again(t, want))
		if !reflect.DeepEqual(got, want) {
			g, _ := yaml.Marshal(got)
			w, _ := yaml.Marshal(want)
			t.Errorf("%s differs:\n%s", key(want), firstDifference(string(g), string(w)))
		}
	}
	for name := range charted {
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
`)
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
	for _, name := range []string{"kafka-canary", "kafka-broker", "kafka-controller"} {
		endpoint := objects["ServiceMonitor "+name].at("spec", "endpoints", 0).(map[string]any)
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
		objects, err := helmTemplate(t, values)
		if err != nil {
			t.Fatal(err)
		}
		return objects["Deployment kafka-canary"].at("spec", "template", "metadata", "annotations", "checksum/config")
	}
	if sum(likeProduction(t)) == sum(strings.Replace(likeProduction(t), "9094", "9093", 1)) {
		t.Error("another port, the same checksum")
	}
}

func TestWrongValuesAreRefused(t *testing.T) {
	for values, want := range map[string]string{
		"{}": "/canary/config/clusters",
		smallestValues[:strings.Index(smallestValues, "  config")] + "  config: {}":               "/canary/config/clusters",
		strings.Replace(smallestValues, "  image:", "  replicas: 1 #", 1):                         "image",
		smallestValues + "    http: { port: 0 }\n":                                                "port",
		smallestValues + "    http: { host: localhost }\n":                                        "host",
		smallestValues + "  secretFiles: { /tmp: a }\n":                                           "/tmp",
		smallestValues + "  secretFiles: { /etc/phasewise/: a }\n":                                "/etc/phasewise/",
		smallestValues + "  secretFiles: { ca: a }\n":                                             "ca",
		smallestValues + "monitoring: { enabled: yes please }\n":                                  "enabled",
		smallestValues + "monitoring: { histograms: none }\n":                                     "histograms",
		"canary: { image: a, config: { clusters: { prod: {} } } }":                                "bootstrap-servers",
		"canary: { image: a, config: { clusters: { a: { bootstrap-servers: b } } }, replica: 2 }": "replica",
		likeProduction(t) + "monitoring: { scrapeInterval: 30 }":                                  "scrapeInterval",
	} {
		if _, err := helmTemplate(t, values); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", values, err)
		}
	}
}

// smallestValues are those that the page on deployment gives as the least.
const smallestValues = `
canary:
  image: registry.example.com/phasewise/canary:0.1.0
  config:
    clusters: { prod: { bootstrap-servers: "kafka.example.com:9092" } }
`

const operator = "monitoring.coreos.com/v1"

func mustTemplate(t *testing.T, values string, apis ...string) map[string]object {
	t.Helper()
	objects, err := helmTemplate(t, values, apis...)
	if err != nil {
		t.Fatalf("%s: %v", values, err)
	}
	return objects
}

func TestTheSmallestValuesStart(t *testing.T) {
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	least := regexp.MustCompile("(?s)```yaml\n(canary:.*?)```").FindSubmatch(page)
	container := mustTemplate(t, string(least[1]))["Deployment kafka-canary"].at("spec", "template", "spec", "containers", 0).(map[string]any)
	if container["image"] == nil || container["image"] == "" {
		t.Errorf("no image: %v", container)
	}
	defaults, err := os.ReadFile("values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var set map[string]map[string]any
	if err := yaml.Unmarshal(defaults, &set); err != nil {
		t.Fatal(err)
	}
	if image, has := set["canary"]["image"]; has {
		t.Errorf("the default is an image that nobody can pull: %v", image)
	}
}

// What pages show is rendered as it stands, on top of the smallest values.
func TestTheValuesInThePagesAreTaken(t *testing.T) {
	shown := 0
	for _, page := range []string{"../README.md", "../../docs/how-to/security.md"} {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range regexp.MustCompile("(?s)```yaml\n((?:canary:\n  (?:config|image):|monitoring:).*?)```").FindAllSubmatch(content, -1) {
			shown++
			merged, err := yaml.Marshal(over(smallestValues, string(block[1])))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := helmTemplate(t, string(merged), operator); err != nil {
				t.Errorf("%s: %v\n%s", page, err, block[1])
			}
		}
	}
	if shown < 4 {
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
			if isDashboard(o) {
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
		objects := mustTemplate(t, c.values, c.apis...)
		custom, dashboards := operated(objects)
		if got := objects["ServiceMonitor kafka-canary"] != nil; got != c.want || c.want != (custom > 0) {
			t.Errorf("%s %v: %d of the operator's resources", c.values, c.apis, custom)
		}
		if (dashboards > 0) == strings.Contains(c.values, "enabled: false") {
			t.Errorf("%s: %d dashboards", c.values, dashboards)
		}
		rendered, err := helmRender(t, c.values, c.apis...)
		if err != nil {
			t.Fatal(err)
		}
		notes := rendered["phasewise/templates/NOTES.txt"]
		if strings.Contains(notes, "Nothing scrapes it") == c.want || !strings.Contains(notes, "port-forward deployment/kafka-canary 9470") {
			t.Errorf("%s %v: the notes say\n%s", c.values, c.apis, notes)
		}
	}
}

func TestTheRulesAreNativeOrClassicNeverBoth(t *testing.T) {
	for _, histograms := range []string{"native", "classic"} {
		objects := mustTemplate(t, smallestValues+"monitoring: { histograms: "+histograms+", labels: { release: mine } }\n", operator)
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
	objects := mustTemplate(t, smallestValues+"    http: { port: 8080 }\n", operator)
	container := objects["Deployment kafka-canary"].at("spec", "template", "spec", "containers", 0).(map[string]any)
	named := object(container).at("ports", 0).(map[string]any)
	if named["containerPort"] != 8080.0 || named["name"] != "metrics" {
		t.Errorf("the container's port: %v", named)
	}
	if port := objects["Service kafka-canary"].at("spec", "ports", 0).(map[string]any); port["port"] != 8080.0 || port["targetPort"] != "metrics" {
		t.Errorf("the Service's port: %v", port)
	}
	for _, probe := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
		if port := object(container).at(probe, "httpGet", "port"); port != "metrics" {
			t.Errorf("%s asks port %v", probe, port)
		}
	}
	if port := objects["NetworkPolicy kafka-canary"].at("spec", "ingress", 0, "ports", 0, "port"); port != "metrics" {
		t.Errorf("let in: port %v", port)
	}
	if port := objects["ServiceMonitor kafka-canary"].at("spec", "endpoints", 0, "port"); port != "metrics" {
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
		objects, err := helmTemplate(t, values, operator)
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
		known(t, objects["ServiceMonitor kafka-canary"], &monitoringv1.ServiceMonitor{})
		known(t, objects["Deployment kafka-canary"], &apps.Deployment{})
		container := objects["Deployment kafka-canary"].at("spec", "template", "spec", "containers", 0).(map[string]any)
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
		endpoint := objects["ServiceMonitor kafka-canary"].at("spec", "endpoints", 0).(map[string]any)
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
	endpoint := mustTemplate(t, smallestValues+"monitoring: { scrape: { exporters: { "+tlsConfig+", "+basicAuth+" } } }\n", operator)["ServiceMonitor kafka-broker"].at("spec", "endpoints", 0).(map[string]any)
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
	deployment := mustTemplate(t, smallestValues+"  secretFiles: { /a: one, /b: one, /c: tmp, /d: configuration, /e: with.dots.in-it, /f: "+long+", /etc/phasewise/secrets: one }\n")["Deployment kafka-canary"]
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
	for _, rule := range mustTemplate(t, values)["NetworkPolicy kafka-canary"].at("spec", "egress").([]any)[3:] {
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
  image: a
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
			if got := letOutBesides(t, "canary: { image: a, config: { "+strings.ReplaceAll(c.config, "\t", " ")+" } }"); got != c.want {
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
	rendered, err := helmRender(t, smallestValues, operator)
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
