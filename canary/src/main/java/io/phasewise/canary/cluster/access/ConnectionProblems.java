/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.access;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.Failures;
import io.phasewise.kafka.BootstrapFault;
import io.phasewise.kafka.PortLook;
import io.phasewise.kafka.WrongPortException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * Says which part of the configuration to look at when a cluster cannot be used; retrying is left
 * to the caller.
 */
public final class ConnectionProblems {
    private static final String RARELY = " (tried again ever more rarely, after 5 minutes at most, and at once"
            + " when a file with credentials changes): ";

    private ConnectionProblems() {}

    /**
     * @param suspends whether the clients are closed until it is tried again
     */
    public static Problem explain(KafkaException e, ClusterConfig config, boolean suspends) {
        String again = suspends ? RARELY : ": ";
        if (e instanceof WrongPortException port) {
            String key = port.setting() == PortLook.Cause.ADDRESS ? "bootstrap-servers" : "client.security.protocol";
            return new Problem(key, port.getMessage());
        }
        String why = Failures.describe(e);
        if (e instanceof SaslAuthenticationException) {
            String what = config.kafka().client().getOrDefault(SaslConfigs.SASL_MECHANISM, "");
            String credential = what.equals("OAUTHBEARER") ? "token" : "user name or password";
            return Problem.of("client.sasl.jaas.config", "the cluster refuses the %s" + again + "%s", credential, why);
        }
        if (e instanceof SslAuthenticationException) {
            return new Problem(
                    "client.ssl", "the TLS handshake fails; check trust store, key store and host name" + again + why);
        }
        if (e instanceof TopicAuthorizationException) {
            return Problem.of(
                    "topic.name",
                    "no permission on topic %s; the canary's user needs Describe, Read and Write on it: %s",
                    config.topic().name(),
                    why);
        }
        if (e instanceof AuthorizationException) {
            return new Problem("client", "no permission: " + why);
        }
        String servers = config.kafka().bootstrapServers();
        if (e instanceof TimeoutException) {
            return Problem.of(
                    "bootstrap-servers",
                    "no answer from %s (down, unreachable, or client.security.protocol does not fit): %s",
                    servers,
                    why);
        }
        return BootstrapFault.of(e, servers)
                .map(fault -> new Problem("bootstrap-servers", fault.text()))
                .orElseGet(() -> new Problem("client", why));
    }
}
