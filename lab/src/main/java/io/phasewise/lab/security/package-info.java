/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Certificates, keys and passwords for local servers and containers, made at run time: the source
 * has no secrets.
 */
package io.phasewise.lab.security;
