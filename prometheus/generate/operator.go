// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// operatorManifests are the same rules and scrape jobs as custom resources of the Prometheus operator (monitoring.coreos.com/v1).
// Which services and labels your Prometheus selects is left to you.
func operatorManifests(files []ruleFile, linksYml string) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, f := range []form{native, classic} {
		var groups []group
		for _, file := range files {
			other := classic.name
			if f.name == other {
				other = native.name
			}
			if !strings.HasPrefix(file.path, "rules/"+other+"/") {
				groups = append(groups, file.groups...)
			}
		}
		root := resource("PrometheusRule", "phasewise-"+f.name)
		add(root, "spec", groupsNode(groups))
		root.HeadComment = generatedFrom("the sources of rules/*.yml and rules/"+f.name+"/, by generate/operator.go") + f.comment
		encoded, err := encodeNode(root)
		if err != nil {
			return nil, err
		}
		all[rulesManifest(f)] = encoded
	}
	links, err := linksManifest(linksYml)
	if err != nil {
		return nil, err
	}
	all["operator/prometheusrule-links.yml"] = links
	monitors, err := serviceMonitors()
	all["operator/servicemonitors.yml"] = monitors
	all["operator/kustomization.yaml"] = []byte(operatorKustomization)
	all["operator/classic/kustomization.yaml"] = []byte(classicComponent)
	return all, err
}

// rulesManifest is the file of the rules. The classic ones are in a directory of their own, as kustomize takes no file from beside a directory.
func rulesManifest(f form) string {
	if f.name == classic.name {
		return "operator/classic/prometheusrule-classic.yml"
	}
	return "operator/prometheusrule-" + f.name + ".yml"
}

var operatorKustomization = "# " + generatedFrom("generate/operator.go") + `# What deploy/monitoring takes: the rules on native histograms, where links lead, and the scrape jobs.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - prometheusrule-native.yml
  - prometheusrule-links.yml
  - servicemonitors.yml
`

var classicComponent = "# " + generatedFrom("generate/operator.go") + `# For a Prometheus without native histograms: takes the classic rules in place of the native ones. In an overlay that has ../ among its resources:
#   components: [ ../../../prometheus/operator/classic ]
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources:
  - prometheusrule-classic.yml
patches:
  - patch: |-
      $patch: delete
      apiVersion: monitoring.coreos.com/v1
      kind: PrometheusRule
      metadata:
        name: phasewise-native
`

// linksManifest is a resource of its own, as what it holds differs from site to site: overlays patch it.
func linksManifest(linksYml string) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(linksYml), &document); err != nil {
		return nil, fmt.Errorf("links.yml: %w", err)
	}
	root := resource("PrometheusRule", "phasewise-links")
	add(root, "spec", document.Content[0])
	// The comment of links.yml is for people who edit that file.
	document.Content[0].Content[0].HeadComment = ""
	root.HeadComment = "Generated from links.yml by generate/: do not edit, patch it in an overlay. ../../deploy/README.md has the patch.\n"
	return encodeNode(root)
}

const monitorsComment = `The rules need the job names kafka-canary and kafka-broker (jobLabel), and on the brokers' targets the labels cluster and broker: the first is taken from
the service's label phasewise.io/cluster, the second from the number at the end of the pod's name, which is the node id in a StatefulSet with one
id range. Controllers that are no brokers are a job of their own, kafka-controller, as alerts count the targets of kafka-broker; their label broker is their
node id too. Services are found in every namespace: the canary may run beside Kafka, and these resources stand beside Prometheus. For native histograms set scrapeNativeHistograms in the Prometheus resource (operator 0.87 or newer).
`

func serviceMonitors() ([]byte, error) {
	relabel := func(pairs ...map[string]any) []map[string]any { return pairs }
	// Alerts name a canary by its instance: an address says nothing once its pod is gone.
	canary := monitor("kafka-canary", relabel(
		map[string]any{"sourceLabels": []string{"__meta_kubernetes_pod_name"}, "targetLabel": "instance"}))
	nodes := relabel(
		map[string]any{"sourceLabels": []string{"__meta_kubernetes_service_label_phasewise_io_cluster"}, "targetLabel": "cluster"},
		map[string]any{"sourceLabels": []string{"__meta_kubernetes_pod_name"}, "regex": ".*-([0-9]+)", "targetLabel": "broker"})
	canary.HeadComment = generatedFrom("generate/operator.go") + monitorsComment
	var all [][]byte
	for _, m := range []*yaml.Node{canary, monitor("kafka-broker", nodes), monitor("kafka-controller", nodes)} {
		encoded, err := encodeNode(m)
		if err != nil {
			return nil, err
		}
		all = append(all, encoded)
	}
	return bytes.Join(all, []byte("---\n")), nil
}

func monitor(job string, relabelings []map[string]any) *yaml.Node {
	endpoint := map[string]any{"port": "metrics", "interval": "5s", "scrapeTimeout": "4s", "relabelings": relabelings}
	spec := &yaml.Node{}
	if err := spec.Encode(map[string]any{
		"jobLabel":          "app.kubernetes.io/name",
		"namespaceSelector": map[string]any{"any": true},
		"selector":          map[string]any{"matchLabels": map[string]string{"app.kubernetes.io/name": job}},
		"endpoints":         []map[string]any{endpoint},
	}); err != nil {
		panic(err)
	}
	root := resource("ServiceMonitor", job)
	add(root, "spec", spec)
	return root
}

func resource(kind, name string) *yaml.Node {
	root := mapping()
	add(root, "apiVersion", text("monitoring.coreos.com/v1"))
	add(root, "kind", text(kind))
	metadata := mapping()
	add(metadata, "name", text(name))
	add(metadata, "labels", texts(map[string]string{"app.kubernetes.io/part-of": "phasewise"}))
	add(root, "metadata", metadata)
	return root
}
