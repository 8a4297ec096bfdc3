// Written by the tests of holdfast-station from the contract's own layouts; never by hand.

import type { FormView } from './wire'

export const FORMS: Readonly<Record<string, FormView>> = {
  "application": {
    "kind": "application",
    "contract_version": 41,
    "groups": [
      {
        "id": "site",
        "legend": {
          "en": "Site",
          "es": "Lugar de la obra"
        },
        "fields": [
          {
            "name": "OriginalAddress1",
            "pointer": "/payload/OriginalAddress1",
            "label": {
              "en": "Site address",
              "es": "Dirección de la obra"
            },
            "hint": {
              "en": "12 1/2 Oak St",
              "es": "12 1/2 Oak St"
            },
            "example": "12 1/2 Oak St",
            "need": "required",
            "width": "xl",
            "control": {
              "control": "address",
              "limit": 250
            }
          },
          {
            "name": "OriginalAddress2",
            "pointer": "/payload/OriginalAddress2",
            "label": {
              "en": "Unit or suite",
              "es": "Unidad o suite"
            },
            "hint": {
              "en": "4B",
              "es": "4B"
            },
            "example": null,
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "OriginalZip",
            "pointer": "/payload/OriginalZip",
            "label": {
              "en": "ZIP code",
              "es": "Código postal"
            },
            "hint": {
              "en": "98101",
              "es": "98101"
            },
            "example": "98101",
            "need": "optional",
            "width": "xs",
            "control": {
              "control": "line",
              "limit": 12
            }
          },
          {
            "name": "PIN",
            "pointer": "/payload/PIN",
            "label": {
              "en": "Parcels",
              "es": "Parcelas"
            },
            "hint": {
              "en": "0010-22-417",
              "es": "0010-22-417"
            },
            "example": "0010-22-417",
            "need": "required",
            "width": "full",
            "control": {
              "control": "parcels",
              "entries_max": 50,
              "reason_pointer": "/payload/NoParcelReason",
              "reason_name": "NoParcelReason"
            }
          }
        ]
      },
      {
        "id": "work",
        "legend": {
          "en": "Work",
          "es": "Obra"
        },
        "fields": [
          {
            "name": "PermitTypeMapped",
            "pointer": "/payload/PermitTypeMapped",
            "label": {
              "en": "Permit type",
              "es": "Tipo de permiso"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Building",
                  "word": {
                    "en": "Building",
                    "es": "Construcción"
                  }
                },
                {
                  "code": "Demolition",
                  "word": {
                    "en": "Demolition",
                    "es": "Demolición"
                  }
                },
                {
                  "code": "Electrical",
                  "word": {
                    "en": "Electrical",
                    "es": "Electricidad"
                  }
                },
                {
                  "code": "Mechanical",
                  "word": {
                    "en": "Mechanical",
                    "es": "Mecánica"
                  }
                },
                {
                  "code": "Plumbing",
                  "word": {
                    "en": "Plumbing",
                    "es": "Plomería"
                  }
                },
                {
                  "code": "Roof",
                  "word": {
                    "en": "Roof",
                    "es": "Techo"
                  }
                },
                {
                  "code": "Fence",
                  "word": {
                    "en": "Fence",
                    "es": "Cerca"
                  }
                },
                {
                  "code": "Grading",
                  "word": {
                    "en": "Grading",
                    "es": "Nivelación de terreno"
                  }
                },
                {
                  "code": "Pool/Spa",
                  "word": {
                    "en": "Pool or spa",
                    "es": "Piscina o spa"
                  }
                }
              ]
            }
          },
          {
            "name": "WorkClassMapped",
            "pointer": "/payload/WorkClassMapped",
            "label": {
              "en": "Class of work",
              "es": "Clase de obra"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "New",
                  "word": {
                    "en": "New",
                    "es": "Nueva"
                  }
                },
                {
                  "code": "Existing",
                  "word": {
                    "en": "Existing",
                    "es": "Existente"
                  }
                }
              ]
            }
          },
          {
            "name": "Description",
            "pointer": "/payload/Description",
            "label": {
              "en": "Work description",
              "es": "Descripción de la obra"
            },
            "hint": {
              "en": "Replace water heater, 50 gallons, same place",
              "es": "Cambiar calentador de agua, 50 galones, mismo lugar"
            },
            "example": null,
            "need": "optional",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 4000
            }
          },
          {
            "name": "PermitClassMapped",
            "pointer": "/payload/PermitClassMapped",
            "label": {
              "en": "Class of property",
              "es": "Clase de inmueble"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Residential",
                  "word": {
                    "en": "Residential",
                    "es": "Residencial"
                  }
                },
                {
                  "code": "Non-Residential",
                  "word": {
                    "en": "Non-residential",
                    "es": "No residencial"
                  }
                }
              ]
            }
          },
          {
            "name": "ProposedUse",
            "pointer": "/payload/ProposedUse",
            "label": {
              "en": "Proposed use",
              "es": "Uso propuesto"
            },
            "hint": {
              "en": "Single-family dwelling",
              "es": "Vivienda unifamiliar"
            },
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "HousingUnits",
            "pointer": "/payload/HousingUnits",
            "label": {
              "en": "Housing units gained",
              "es": "Viviendas que se agregan"
            },
            "hint": {
              "en": "2, or -1 where one is lost",
              "es": "2, o -1 si se pierde una"
            },
            "example": "12",
            "need": "optional",
            "width": "xs",
            "control": {
              "control": "count"
            }
          },
          {
            "name": "TotalSqFt",
            "pointer": "/payload/TotalSqFt",
            "label": {
              "en": "Area of the work",
              "es": "Superficie de la obra"
            },
            "hint": {
              "en": "1840.5",
              "es": "1840.5"
            },
            "example": "1840.5",
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "measure",
              "unit": {
                "en": "sq ft",
                "es": "pies²"
              }
            }
          },
          {
            "name": "AddedSqFt",
            "pointer": "/payload/AddedSqFt",
            "label": {
              "en": "Area added",
              "es": "Superficie agregada"
            },
            "hint": {
              "en": "320",
              "es": "320"
            },
            "example": "1840.5",
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "measure",
              "unit": {
                "en": "sq ft",
                "es": "pies²"
              }
            }
          },
          {
            "name": "RemovedSqFt",
            "pointer": "/payload/RemovedSqFt",
            "label": {
              "en": "Area removed",
              "es": "Superficie demolida"
            },
            "hint": {
              "en": "120",
              "es": "120"
            },
            "example": "1840.5",
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "measure",
              "unit": {
                "en": "sq ft",
                "es": "pies²"
              }
            }
          },
          {
            "name": "ProjectName",
            "pointer": "/payload/ProjectName",
            "label": {
              "en": "Project name",
              "es": "Nombre del proyecto"
            },
            "hint": {
              "en": "Alder Mill, phase 2",
              "es": "Alder Mill, fase 2"
            },
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "MasterPermitNum",
            "pointer": "/payload/MasterPermitNum",
            "label": {
              "en": "Master permit number",
              "es": "Número del permiso principal"
            },
            "hint": {
              "en": "BP-2026-01187",
              "es": "BP-2026-01187"
            },
            "example": "BP-2026-01187",
            "need": "optional",
            "width": "md",
            "control": {
              "control": "line",
              "limit": 64
            }
          }
        ]
      },
      {
        "id": "people",
        "legend": {
          "en": "People",
          "es": "Personas"
        },
        "fields": [
          {
            "name": "ApplicantName",
            "pointer": "/payload/ApplicantName",
            "label": {
              "en": "Applicant name",
              "es": "Nombre del solicitante"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "ApplicantPhone",
            "pointer": "/payload/ApplicantPhone",
            "label": {
              "en": "Applicant phone",
              "es": "Teléfono del solicitante"
            },
            "hint": {
              "en": "(555) 010-0142",
              "es": "(555) 010-0142"
            },
            "example": "(555) 010-0142",
            "need": "optional",
            "width": "md",
            "control": {
              "control": "phone",
              "limit": 40
            }
          },
          {
            "name": "ApplicantEmail",
            "pointer": "/payload/ApplicantEmail",
            "label": {
              "en": "Applicant email",
              "es": "Correo electrónico del solicitante"
            },
            "hint": {
              "en": "name@example.org",
              "es": "nombre@example.org"
            },
            "example": "name@example.org",
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "email",
              "limit": 254
            }
          },
          {
            "name": "ContractorCompanyName",
            "pointer": "/payload/ContractorCompanyName",
            "label": {
              "en": "Contractor company",
              "es": "Empresa contratista"
            },
            "hint": {
              "en": "Alder Roofing LLC",
              "es": "Alder Roofing LLC"
            },
            "example": null,
            "need": "optional",
            "width": "lg",
            "control": {
              "control": "line",
              "limit": 250
            }
          },
          {
            "name": "ContractorLicNum",
            "pointer": "/payload/ContractorLicNum",
            "label": {
              "en": "Contractor license number",
              "es": "Número de licencia del contratista"
            },
            "hint": {
              "en": "ALDERR*842JC",
              "es": "ALDERR*842JC"
            },
            "example": "ALDERR*842JC",
            "need": "optional",
            "width": "md",
            "control": {
              "control": "line",
              "limit": 60
            }
          },
          {
            "name": "ContractorTradeMapped",
            "pointer": "/payload/ContractorTradeMapped",
            "label": {
              "en": "Contractor trade",
              "es": "Oficio del contratista"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "General",
                  "word": {
                    "en": "General",
                    "es": "Contratista general"
                  }
                },
                {
                  "code": "Electrical",
                  "word": {
                    "en": "Electrical",
                    "es": "Electricidad"
                  }
                },
                {
                  "code": "Mechanical",
                  "word": {
                    "en": "Mechanical",
                    "es": "Mecánica"
                  }
                },
                {
                  "code": "Plumbing",
                  "word": {
                    "en": "Plumbing",
                    "es": "Plomería"
                  }
                },
                {
                  "code": "Architecture",
                  "word": {
                    "en": "Architecture",
                    "es": "Arquitectura"
                  }
                },
                {
                  "code": "Engineering",
                  "word": {
                    "en": "Engineering",
                    "es": "Ingeniería"
                  }
                },
                {
                  "code": "Masonry",
                  "word": {
                    "en": "Masonry",
                    "es": "Mampostería"
                  }
                },
                {
                  "code": "Sign",
                  "word": {
                    "en": "Sign",
                    "es": "Letreros"
                  }
                },
                {
                  "code": "Tent",
                  "word": {
                    "en": "Tent",
                    "es": "Carpas"
                  }
                }
              ]
            }
          },
          {
            "name": "ContractorPhone",
            "pointer": "/payload/ContractorPhone",
            "label": {
              "en": "Contractor phone",
              "es": "Teléfono del contratista"
            },
            "hint": {
              "en": "(555) 010-0187",
              "es": "(555) 010-0187"
            },
            "example": "(555) 010-0142",
            "need": "optional",
            "width": "md",
            "control": {
              "control": "phone",
              "limit": 40
            }
          }
        ]
      },
      {
        "id": "money",
        "legend": {
          "en": "Money and dates",
          "es": "Montos y fechas"
        },
        "fields": [
          {
            "name": "EstProjectCost",
            "pointer": "/payload/EstProjectCost",
            "label": {
              "en": "Valuation",
              "es": "Valuación"
            },
            "hint": {
              "en": "25,000.00",
              "es": "25,000.00"
            },
            "example": "1,234.56",
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "money"
            }
          },
          {
            "name": "AppliedDate",
            "pointer": "/payload/AppliedDate",
            "label": {
              "en": "Date applied",
              "es": "Fecha de solicitud"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "sm",
            "control": {
              "control": "day"
            }
          }
        ]
      }
    ]
  },
  "stage": {
    "kind": "stage",
    "contract_version": 41,
    "groups": [
      {
        "id": "move",
        "legend": {
          "en": "Next step",
          "es": "Siguiente paso"
        },
        "fields": [
          {
            "name": "to",
            "pointer": "/payload/to",
            "label": {
              "en": "Next stage",
              "es": "Etapa siguiente"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Intake",
                  "word": {
                    "en": "Returned to the applicant",
                    "es": "Devuelta al solicitante"
                  }
                },
                {
                  "code": "PrelimReview",
                  "word": {
                    "en": "Preliminary review",
                    "es": "Revisión preliminar"
                  }
                },
                {
                  "code": "FeeEstimated",
                  "word": {
                    "en": "Fee estimated",
                    "es": "Tarifa estimada"
                  }
                },
                {
                  "code": "ConditionalApproval",
                  "word": {
                    "en": "Conditional approval",
                    "es": "Aprobación condicional"
                  }
                },
                {
                  "code": "Withdrawn",
                  "word": {
                    "en": "Withdrawn",
                    "es": "Retirada"
                  }
                },
                {
                  "code": "Voided",
                  "word": {
                    "en": "Voided",
                    "es": "Anulada"
                  }
                }
              ]
            }
          },
          {
            "name": "reason",
            "pointer": "/payload/reason",
            "label": {
              "en": "Reason",
              "es": "Motivo"
            },
            "hint": {
              "en": "Site plan missing",
              "es": "Falta el plano del sitio"
            },
            "example": null,
            "need": "optional",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 2000
            }
          }
        ]
      }
    ]
  },
  "inspection": {
    "kind": "inspection",
    "contract_version": 41,
    "groups": [
      {
        "id": "result",
        "legend": {
          "en": "Result",
          "es": "Resultado"
        },
        "fields": [
          {
            "name": "ResultMapped",
            "pointer": "/payload/ResultMapped",
            "label": {
              "en": "Result",
              "es": "Resultado"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "md",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Passed",
                  "word": {
                    "en": "Passed",
                    "es": "Aprobada"
                  }
                },
                {
                  "code": "Rejected",
                  "word": {
                    "en": "Rejected",
                    "es": "Rechazada"
                  }
                },
                {
                  "code": "Partial",
                  "word": {
                    "en": "Partial",
                    "es": "Parcial"
                  }
                },
                {
                  "code": "NoAccess",
                  "word": {
                    "en": "No access",
                    "es": "Sin acceso"
                  }
                },
                {
                  "code": "NotReady",
                  "word": {
                    "en": "Not ready",
                    "es": "No está lista"
                  }
                },
                {
                  "code": "Cancelled",
                  "word": {
                    "en": "Cancelled",
                    "es": "Cancelada"
                  }
                },
                {
                  "code": "InformationOnly",
                  "word": {
                    "en": "Information only",
                    "es": "Solo informativa"
                  }
                }
              ]
            }
          },
          {
            "name": "InspectedDate",
            "pointer": "/payload/InspectedDate",
            "label": {
              "en": "Date inspected",
              "es": "Fecha de la inspección"
            },
            "hint": null,
            "example": null,
            "need": "required",
            "width": "sm",
            "control": {
              "control": "day"
            }
          },
          {
            "name": "InspectedTime",
            "pointer": "/payload/InspectedTime",
            "label": {
              "en": "Time inspected",
              "es": "Hora de la inspección"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "xs",
            "control": {
              "control": "time_of_day"
            }
          },
          {
            "name": "InspectionNotes",
            "pointer": "/payload/InspectionNotes",
            "label": {
              "en": "Notes",
              "es": "Notas"
            },
            "hint": {
              "en": "North footing, rebar 2 in. from the form",
              "es": "Zapata norte, varilla a 2 pulg. de la cimbra"
            },
            "example": null,
            "need": "optional",
            "width": "full",
            "control": {
              "control": "long_text",
              "limit": 4000
            }
          },
          {
            "name": "ReInspection",
            "pointer": "/payload/ReInspection",
            "label": {
              "en": "Reinspection",
              "es": "Reinspección"
            },
            "hint": null,
            "example": null,
            "need": "optional",
            "width": "xs",
            "control": {
              "control": "choice",
              "options": [
                {
                  "code": "Yes",
                  "word": {
                    "en": "Yes",
                    "es": "Sí"
                  }
                },
                {
                  "code": "No",
                  "word": {
                    "en": "No",
                    "es": "No"
                  }
                }
              ]
            }
          }
        ]
      }
    ]
  }
}
