/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.status.Problem;
import io.phasewise.canary.topic.Failures;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * Says which part of the configuration to look at when a cluster cannot be used; retrying is left
 * to the caller.
 */
final class ConnectionProblems {
    private ConnectionProblems() {}

    static Problem explain(KafkaException e, ClusterConfig config) {
        String why = Failures.describe(e);
        if (e instanceof SaslAuthenticationException) {
            return new Problem(
                    "client.sasl.jaas.config",
                    "the cluster refuses the user name or password: " + why);
        }
        if (e instanceof SslAuthenticationException) {
            return new Problem(
                    "client.ssl",
                    "the TLS handshake fails; check trust store, key store and host name: " + why);
        }
        if (e instanceof TopicAuthorizationException) {
            return new Problem(
                    "topic.name",
                    "no permission on topic "
                            + config.topic().name()
                            + "; the canary's user needs Describe, Read and Write on it: "
                            + why);
        }
        if (e instanceof AuthorizationException) {
            return new Problem("client", "no permission: " + why);
        }
        if (e instanceof TimeoutException) {
            return new Problem(
                    "bootstrap-servers",
                    "no answer from "
                            + config.kafka().bootstrapServers()
                            + " (down, unreachable, or client.security.protocol does not fit): "
                            + why);
        }
        if (e instanceof ConfigException && String.valueOf(e.getMessage()).contains("bootstrap")) {
            return new Problem("bootstrap-servers", why);
        }
        return new Problem("client", why);
    }
}
