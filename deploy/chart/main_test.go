// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
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
  env: [{ name: KAFKA_PASSWORD, valueFrom: { secretKeyRef: { name: kafka-canary, key: password } } }]
  secretFiles: { /etc/phasewise-ca: kafka-ca }
prometheus: { create: true }
`
}

// helmTemplate is what `helm template` makes of the chart.
func helmTemplate(t *testing.T, values string) (map[string]object, error) {
	t.Helper()
	files, err := chart("..")
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
	complete, err := util.ToRenderValues(loaded, given, release, nil)
	if err != nil {
		return nil, err
	}
	rendered, err := engine.Render(loaded, complete)
	if err != nil {
		return nil, err
	}
	objects := map[string]object{}
	for file, content := range rendered {
		for _, document := range regexp.MustCompile(`(?m)^---$`).Split(content, -1) {
			var o object
			if err := yaml.Unmarshal([]byte(document), &o); err != nil {
				t.Fatalf("%s: %v\n%s", file, err, document)
			}
			if len(o) > 0 {
				objects[key(o)] = o
			}
		}
	}
	return objects, nil
}

func key(o object) string {
	name := o.at("metadata", "name").(string)
	if o.is("ConfigMap", "kafka-canary") {
		name = "kafka-canary"
	}
	return fmt.Sprint(o["kind"], " ", name)
}

// comparable takes off what the two ways say differently by design: how a change of the configuration rolls the pods, the order of volumes, and
// the configuration's comments.
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
		for _, keys := range [][]any{{"spec", "template", "spec", "volumes"}, {"spec", "template", "spec", "containers", 0, "volumeMounts"}} {
			named := map[string]any{}
			for _, item := range o.at(keys...).([]any) {
				entry := item.(map[string]any)
				if entry["configMap"] != nil {
					entry["configMap"] = "the configuration"
				}
				named[entry["name"].(string)] = entry
			}
			o.set(named, keys...)
		}
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
		"canary: { config: { clusters: { prod: {} } } }":                                "bootstrap-servers",
		"canary: { config: { clusters: { a: { bootstrap-servers: b } } }, replica: 2 }": "replica",
		likeProduction(t) + "monitoring: { scrapeInterval: 30 }":                        "scrapeInterval",
	} {
		if _, err := helmTemplate(t, values); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", values, err)
		}
	}
}
