// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// operatorManifests are the same rules and scrape jobs as custom resources of the Prometheus operator (monitoring.coreos.com/v1).
// Which services and labels your Prometheus selects is left to you.
func operatorManifests(files []ruleFile) (map[string][]byte, error) {
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
		root.HeadComment = generated + f.comment
		encoded, err := encodeNode(root)
		if err != nil {
			return nil, err
		}
		all["operator/prometheusrule-"+f.name+".yml"] = encoded
	}
	monitors, err := serviceMonitors()
	all["operator/servicemonitors.yml"] = monitors
	all["operator/kustomization.yaml"] = []byte(operatorKustomization)
	return all, err
}

const operatorKustomization = "# " + generated + `# What deploy/monitoring takes: the rules on native histograms, and the scrape jobs.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - prometheusrule-native.yml
  - servicemonitors.yml
`

const monitorsComment = `The rules need the job names kafka-canary and kafka-broker (jobLabel), and on the brokers' targets the labels cluster and broker: the first is taken from
the service's label phasewise.io/cluster, the second from the number at the end of the pod's name, which is the node id in a StatefulSet with one
id range. For native histograms set scrapeNativeHistograms in the Prometheus resource (operator 0.87 or newer).
`

func serviceMonitors() ([]byte, error) {
	relabel := func(pairs ...map[string]any) []map[string]any { return pairs }
	canary := monitor("kafka-canary", nil)
	brokers := monitor("kafka-broker", relabel(
		map[string]any{"sourceLabels": []string{"__meta_kubernetes_service_label_phasewise_io_cluster"}, "targetLabel": "cluster"},
		map[string]any{"sourceLabels": []string{"__meta_kubernetes_pod_name"}, "regex": ".*-([0-9]+)", "targetLabel": "broker"}))
	canary.HeadComment = generated + monitorsComment
	first, err := encodeNode(canary)
	if err != nil {
		return nil, err
	}
	second, err := encodeNode(brokers)
	return append(append(first, "---\n"...), second...), err
}

func monitor(job string, relabelings []map[string]any) *yaml.Node {
	endpoint := map[string]any{"port": "metrics", "interval": "5s", "scrapeTimeout": "4s"}
	if relabelings != nil {
		endpoint["relabelings"] = relabelings
	}
	spec := &yaml.Node{}
	if err := spec.Encode(map[string]any{
		"jobLabel":  "app.kubernetes.io/name",
		"selector":  map[string]any{"matchLabels": map[string]string{"app.kubernetes.io/name": job}},
		"endpoints": []map[string]any{endpoint},
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
