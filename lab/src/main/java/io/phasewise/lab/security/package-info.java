/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Certificates for servers on the loopback interface, made at run time; nothing secret is ever part
 * of the source.
 */
package io.phasewise.lab.security;
